/**
 * Send ports and receive ports, and the connections between them.
 *
 * <p>{@code PortTable} holds all ports of an instance and serves the connections of its links; read
 * it first. A {@code LinkSendPort} writes each message to its {@code OutboundConnection}s. A {@code
 * LinkReceivePort} gives messages of its {@code InboundConnection}s to receivers or upcalls, whose
 * order {@code UpcallOrder} keeps. {@code ControlConnections} carry requests between instances,
 * such as to disconnect. {@code PortProtocol} is the format of all of them.
 *
 * <p>The ports know their instance by its public interface, and nothing of registries.
 */
@NullMarked
package ibis.ipl.internal.port;

import org.jspecify.annotations.NullMarked;
