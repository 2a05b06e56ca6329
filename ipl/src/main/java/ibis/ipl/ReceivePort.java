package ibis.ipl;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of one-way connections: by explicit receipt, or by upcalls if it was created
 * with a {@link MessageUpcall}.
 */
public interface ReceivePort extends Manageable {

  PortType getPortType();

  /** Blocks until a message has arrived and the previous one is finished. */
  ReadMessage receive() throws IOException;

  /**
   * Waits for a message.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever
   * @throws ReceiveTimedOutException if none arrived in time
   */
  ReadMessage receive(long timeoutMillis) throws IOException;

  /**
   * Returns a message if one has arrived, otherwise {@code null}; always {@code null} with upcalls.
   */
  @Nullable ReadMessage poll() throws IOException;

  ReceivePortIdentifier identifier();

  String name();

  /** Enables connections. */
  void enableConnections();

  /** Refuses further connections; no connection upcall runs after the return. */
  void disableConnections();

  /** Enables upcalls for messages, including those that have already arrived. */
  void enableMessageUpcalls();

  /** Disables further upcalls; one in progress continues. */
  void disableMessageUpcalls();

  /** Refuses further connections, waits until all senders have disconnected, and frees the name. */
  void close() throws IOException;

  /**
   * Accepts no connections any more, waits a time for the senders to go and breaks the connections
   * that are left.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever, less does not wait
   */
  void close(long timeoutMillis) throws IOException;

  /** Returns a snapshot of the connections. */
  SendPortIdentifier[] connectedTo();

  /** Returns the connections that ended since the last call; needs connection downcalls. */
  SendPortIdentifier[] lostConnections();

  /** Returns the connections gained since the last call; needs connection downcalls. */
  SendPortIdentifier[] newConnections();
}
