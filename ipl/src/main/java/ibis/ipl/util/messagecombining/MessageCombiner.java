package ibis.ipl.util.messagecombining;

import ibis.io.Replacer;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import ibis.util.TypedProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages and sends them through a port as one; a {@link MessageSplitter} restores them.
 *
 * <p>Written data is copied and may be changed at once. The messages can hold all types,
 * independent of the serialization of the port's type. One message is written at a time. May be
 * shared between threads.
 */
public final class MessageCombiner {

  private final SendPort port;
  private final List<byte[]> collected = new ArrayList<>();
  private @Nullable CombinedWriteMessage current;
  private @Nullable Replacer replacer;

  /**
   * Creates a combiner for a port.
   *
   * @param properties not used; may be {@code null}
   */
  public MessageCombiner(TypedProperties properties, SendPort port) throws IOException {
    this.port = port;
  }

  /** Sets the replacer of objects for messages that begin from now on. */
  public synchronized void setReplacer(@Nullable Replacer replacer) throws IOException {
    this.replacer = replacer;
  }

  /** Begins a message; blocks, uninterruptibly, while another one is unfinished. */
  public synchronized WriteMessage newMessage() {
    awaitCurrent();
    current = new CombinedWriteMessage(this, port, replacer);
    return current;
  }

  private void awaitCurrent() {
    boolean interrupted = false;
    while (current != null) {
      try {
        wait();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds the bytes of the current message; {@code null} discards the message. */
  synchronized void finished(CombinedWriteMessage message, byte @Nullable [] bytes) {
    if (current == message) {
      current = null;
      if (bytes != null) {
        collected.add(bytes);
      }
      notifyAll();
    }
  }

  /**
   * Sends the collected messages as one; does nothing if there are none. Blocks while a message is
   * unfinished.
   */
  public synchronized void sendAccumulatedMessages() throws IOException {
    awaitCurrent();
    if (collected.isEmpty()) {
      return;
    }
    byte[] packed = PartPacking.pack(collected);
    WriteMessage message = port.newMessage();
    message.writeArray(PartPacking.number(packed.length));
    message.writeArray(packed);
    message.finish();
    collected.clear();
  }
}
