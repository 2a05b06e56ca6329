package ibis.ipl.util.messagecombining;

import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.util.TypedProperties;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits the messages of a {@link MessageCombiner} into the original ones.
 *
 * <p>Each message must be finished before the next is received. Used by one thread at a time.
 */
public final class MessageSplitter {

  /** The most memory that an unverified length can allocate. */
  private static final int LARGEST = 1 << 30;

  private final ReceivePort port;
  private final Deque<byte[]> parts = new ArrayDeque<>();
  private @Nullable ReadMessage whole;
  private boolean isReading;

  /**
   * Creates a splitter that obtains messages from {@link #setMessageToSplit} or receives them
   * itself.
   *
   * @param properties not used; may be {@code null}
   * @param port the port from which to receive messages; {@code null} if the program passes them
   */
  public MessageSplitter(TypedProperties properties, ReceivePort port) {
    this.port = port;
  }

  /**
   * Splits a message; {@link #receive} returns its parts.
   *
   * @throws IOException if the previous message has unread parts, or no combiner has written this
   *     one
   */
  public void setMessageToSplit(ReadMessage message) throws IOException {
    if (isReading || !parts.isEmpty()) {
      throw new IOException(
          "parts of the message before are left; receive and finish them first, until receive()"
              + " gives null");
    }
    byte[] length = new byte[Integer.BYTES];
    message.readArray(length);
    int bytes = PartPacking.number(length);
    if (bytes < 0 || bytes > LARGEST) {
      throw new IOException("malformed message: no MessageCombiner has made it");
    }
    byte[] packed = new byte[bytes];
    message.readArray(packed);
    parts.addAll(PartPacking.unpack(packed));
    whole = message;
  }

  /**
   * Returns the next part.
   *
   * <p>With a port: waits for a message if necessary, and finishes messages whose parts are all
   * read. Otherwise returns {@code null} if no part is left.
   *
   * @throws IOException if the part before is not finished
   */
  public @Nullable ReadMessage receive() throws IOException {
    if (isReading) {
      throw new IOException("the part before is not finished");
    }
    if (parts.isEmpty() && port != null) {
      if (whole != null) {
        whole.finish();
      }
      setMessageToSplit(port.receive());
    }
    if (parts.isEmpty()) {
      return null;
    }
    isReading = true;
    return new SplitReadMessage(
        this, Objects.requireNonNull(whole, "parts are of a whole"), parts.remove());
  }

  void finished() {
    isReading = false;
  }
}
