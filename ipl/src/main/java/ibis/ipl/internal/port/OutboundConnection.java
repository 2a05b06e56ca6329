package ibis.ipl.internal.port;

import org.troupe.links.Link;

/**
 * A send port's end of a connection.
 *
 * @param number what our instance calls it
 * @param theirs what the receiver's instance calls it
 */
record OutboundConnection(ReceivePortName receiver, Link link, long number, long theirs) {}
