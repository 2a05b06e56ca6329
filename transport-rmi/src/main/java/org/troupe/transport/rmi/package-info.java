/**
 * Transport of frames by calls of the JDK's RMI, and export of active objects to plain RMI clients.
 *
 * <p>{@code RmiTransport} opens an {@code RmiEndpoint}, which offers two services on the JVM's
 * authenticated port: one sends the reference of the endpoint's {@code FrameServer}, the other
 * carries RMI's own connections. {@code RmiConnection} calls the {@code RemoteReceiver} of a peer;
 * {@code FramePacking} holds the form in which a frame is an argument or a result. Every socket is
 * opened through the port, by {@code PeerDialler} and {@code ServiceSocket}, so RMI sees bytes only
 * from peers that have proved the secret. Read {@code RmiEndpoint} first.
 *
 * <p>{@code RmiExport} is independent of the transport: it offers one active object as an ordinary
 * remote object to programs without Troupe. The package knows nothing of calls and objects inside a
 * frame.
 */
@NullMarked
package org.troupe.transport.rmi;

import org.jspecify.annotations.NullMarked;
