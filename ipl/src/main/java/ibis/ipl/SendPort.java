package ibis.ipl;

import java.io.IOException;
import java.util.Map;

/**
 * The sending end of one-way connections, which it alone opens and closes.
 *
 * <p>A time of 0 milliseconds waits for ever; with {@code fillTimeout}, or in the forms without a
 * time, an instance that cannot be reached is tried again until the time is over. A receive port
 * that does not exist yet, or does not accept connections yet, is waited for in any case.
 */
public interface SendPort extends Manageable {

  PortType getPortType();

  /**
   * Begins a message; waits while another one of this port is not finished.
   *
   * @throws IOException if the port is closed, or an upcall calls this that has not finished its
   *     message
   */
  WriteMessage newMessage() throws IOException;

  SendPortIdentifier identifier();

  String name();

  void connect(ReceivePortIdentifier receiver) throws ConnectionFailedException;

  void connect(ReceivePortIdentifier receiver, long timeoutMillis, boolean fillTimeout)
      throws ConnectionFailedException;

  ReceivePortIdentifier connect(IbisIdentifier ibisIdentifier, String receivePortName)
      throws ConnectionFailedException;

  ReceivePortIdentifier connect(
      IbisIdentifier ibisIdentifier,
      String receivePortName,
      long timeoutMillis,
      boolean fillTimeout)
      throws ConnectionFailedException;

  /** Connects to all; those that succeed stay connected if others fail. */
  void connect(ReceivePortIdentifier[] receivePortIdentifiers) throws ConnectionsFailedException;

  /** Connects to all; those that succeed stay connected if others fail. */
  void connect(
      ReceivePortIdentifier[] receivePortIdentifiers, long timeoutMillis, boolean fillTimeout)
      throws ConnectionsFailedException;

  /** Connects to all; those that succeed stay connected if others fail. */
  ReceivePortIdentifier[] connect(Map<IbisIdentifier, String> ports)
      throws ConnectionsFailedException;

  /** Connects to all; those that succeed stay connected if others fail. */
  ReceivePortIdentifier[] connect(
      Map<IbisIdentifier, String> ports, long timeoutMillis, boolean fillTimeout)
      throws ConnectionsFailedException;

  /**
   * Ends a connection; returns when the receiver has removed it from its connections.
   *
   * @throws IOException if there is none to that port, or a message is not finished
   */
  void disconnect(ReceivePortIdentifier receiver) throws IOException;

  /**
   * Ends a connection; returns when the receiver has removed it from its connections.
   *
   * @throws IOException if there is none to that port, or a message is not finished
   */
  void disconnect(IbisIdentifier ibisIdentifier, String receivePortName) throws IOException;

  /**
   * Sends all written data, closes all connections and frees the name.
   *
   * @throws IOException if a message is not finished, or the port is closed
   */
  void close() throws IOException;

  /** Returns a snapshot of the connections. */
  ReceivePortIdentifier[] connectedTo();

  /** Returns the connections that broke since the last call; needs connection downcalls. */
  ReceivePortIdentifier[] lostConnections();
}
