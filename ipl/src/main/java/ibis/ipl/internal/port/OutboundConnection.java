package ibis.ipl.internal.port;

import org.troupe.links.Link;

/**
 * A send port's end of a connection.
 *
 * @param number this instance's number for the connection
 * @param peerNumber the receiver's number for the connection
 */
record OutboundConnection(ReceivePortName receiver, Link link, long number, long peerNumber) {}
