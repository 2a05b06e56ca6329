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
 * Collects messages, and sends them through a port as one; a {@link MessageSplitter} takes them
 * apart.
 *
 * <p>What is written may be changed at once: it is copied. Whatever the serialization of the port's
 * type, the messages can hold everything. One message is written at a time. May be shared between
 * threads.
 */
public final class MessageCombiner {

  private final SendPort port;
  private final List<byte[]> collected = new ArrayList<>();
  private @Nullable CombinedWriteMessage current;
  private @Nullable Replacer replacer;

  /**
   * Makes one that sends through a port.
   *
   * @param properties not used; may be {@code null}
   */
  public MessageCombiner(TypedProperties properties, SendPort port) throws IOException {
    this.port = port;
  }

  /** Sets what travels in the place of the objects of messages that are begun from now on. */
  public synchronized void setReplacer(@Nullable Replacer replacer) throws IOException {
    this.replacer = replacer;
  }

  /**
   * Begins a message; waits while another one is not finished, and an interrupt does not end that.
   */
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

  /** Takes the bytes of the message that was begun; {@code null} drops it. */
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
   * Sends what was collected, as one message; nothing if there is none. Waits while a message is
   * not finished.
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
