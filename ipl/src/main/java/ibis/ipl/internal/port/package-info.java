/**
 * Send ports and receive ports, and the connections between them.
 *
 * <p>{@code PortTable} creates all ports of an instance; read it first. {@code ConnectionService}
 * serves the requests of other instances to connect and to disconnect, and {@code
 * ControlConnections} sends such requests. A {@code LinkSendPort} serializes each message once and
 * writes it to the {@code OutboundConnection}s of its {@code ReceiverTable}. A {@code
 * LinkReceivePort} accepts senders by its {@code ConnectionAdmission} into its {@code SenderTable};
 * its {@code InboundReader} reads their connections and passes messages to {@code ExplicitReceive}
 * or to upcalls, whose order {@code UpcallOrder} keeps. {@code PortProtocol} is the format of the
 * requests.
 *
 * <p>The ports know their instance by its public interface, and nothing of registries.
 */
@NullMarked
package ibis.ipl.internal.port;

import org.jspecify.annotations.NullMarked;
