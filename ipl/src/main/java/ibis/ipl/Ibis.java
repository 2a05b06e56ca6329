package ibis.ipl;

import java.io.IOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * An instance: a member of one pool, which creates ports. {@link IbisFactory} creates instances.
 *
 * <p>Thread-safe, as are its ports and registry.
 */
public interface Ibis extends Manageable {

  /**
   * Closes all ports, leaves the pool and releases all resources.
   *
   * <p>Send ports close first; receive ports do not wait for their senders. Again, it does nothing.
   */
  void end() throws IOException;

  /** Returns the registry of the pool. */
  Registry registry();

  /** Polls for pending work; the system does so by itself, too. */
  void poll() throws IOException;

  /** Returns the name of this instance. */
  IbisIdentifier identifier();

  /** Returns name and version of the implementation. */
  String getVersion();

  /** Returns a copy of the properties in force. */
  Properties properties();

  /** Creates a send port with an invented name. */
  SendPort createSendPort(PortType portType) throws IOException;

  /**
   * Creates a send port.
   *
   * @param sendPortName a name that no other send port of this instance has; {@code null} to be
   *     given one
   * @throws IOException if the name is in use, or the instance has ended
   * @throws IbisConfigurationException if the type was not announced to the factory
   */
  SendPort createSendPort(PortType portType, @Nullable String sendPortName) throws IOException;

  /**
   * Creates a send port.
   *
   * @param sendPortName a name that no other send port of this instance has; {@code null} to be
   *     given one
   * @param sendPortDisconnectUpcall receives broken connections; may be {@code null}
   * @param properties overlay those of the instance for this port; may be {@code null}
   * @throws IOException if the name is in use, or the instance has ended
   * @throws IbisConfigurationException if the type was not announced to the factory, or has no
   *     connection upcalls
   */
  SendPort createSendPort(
      PortType portType,
      @Nullable String sendPortName,
      @Nullable SendPortDisconnectUpcall sendPortDisconnectUpcall,
      @Nullable Properties properties)
      throws IOException;

  /** Creates a receive port with explicit receipt. */
  ReceivePort createReceivePort(PortType portType, @Nullable String receivePortName)
      throws IOException;

  /** Creates a receive port that passes its messages to an upcall. */
  ReceivePort createReceivePort(
      PortType portType, @Nullable String receivePortName, MessageUpcall messageUpcall)
      throws IOException;

  /** Creates a receive port with explicit receipt and connection upcalls. */
  ReceivePort createReceivePort(
      PortType portType,
      @Nullable String receivePortName,
      ReceivePortConnectUpcall receivePortConnectUpcall)
      throws IOException;

  /**
   * Creates a receive port; connections and message upcalls have yet to be enabled.
   *
   * @param receivePortName a name that no other receive port of this instance has; {@code null} to
   *     be given one
   * @param messageUpcall receives the messages; {@code null} for explicit receipt
   * @param receivePortConnectUpcall decides about connections; may be {@code null}
   * @param properties overlay those of the instance for this port; may be {@code null}
   * @throws IOException if the name is in use, or the instance has ended
   * @throws IbisConfigurationException if the type was not announced to the factory, or does not
   *     allow what is asked for
   */
  ReceivePort createReceivePort(
      PortType portType,
      @Nullable String receivePortName,
      @Nullable MessageUpcall messageUpcall,
      @Nullable ReceivePortConnectUpcall receivePortConnectUpcall,
      @Nullable Properties properties)
      throws IOException;
}
