/**
 * The interface between the runtime and the transports that carry frames between JVMs.
 *
 * <p>Read {@link org.troupe.activeobjects.transport.Transport} first: a transport, found by the
 * service loader, opens an endpoint, which accepts connections from peers and opens connections to
 * them. The runtime sends a {@code Frame} over a connection, either one way or as an exchange whose
 * reply returns on a channel of its own; the receiving endpoint passes the frame to the runtime's
 * receiver. {@code ArrayPool} and {@code ReceiveBuffer} avoid copies of large arrays on that side.
 *
 * <p>This package is the lowest of the module. It knows neither calls nor nodes nor active objects;
 * header, body and arrays of a frame are opaque to it.
 */
@NullMarked
package org.troupe.activeobjects.transport;

import org.jspecify.annotations.NullMarked;
