package ibis.ipl;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of one-way connections: by explicit receipt, or by upcalls if it was made with a
 * {@link MessageUpcall}.
 */
public interface ReceivePort extends Manageable {

  PortType getPortType();

  /** Blocks until a message has arrived and the previous one is finished. */
  ReadMessage receive() throws IOException;

  /**
   * Waits for a message.
   *
   * @param timeoutMillis in milliseconds; 0 waits for ever
   * @throws ReceiveTimedOutException if none came in time
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

  /** Accepts no connections any more; no connection upcall comes after the return. */
  void disableConnections();

  /** Enables upcalls for messages, including those that have already arrived. */
  void enableMessageUpcalls();

  /** Disables further upcalls; one in progress continues. */
  void disableMessageUpcalls();

  /** Accepts no connections any more, waits until all senders have gone, and frees the name. */
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

  /** Returns the connections that came since the last call; needs connection downcalls. */
  SendPortIdentifier[] newConnections();
}
