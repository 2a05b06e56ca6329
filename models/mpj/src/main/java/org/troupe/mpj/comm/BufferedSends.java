package org.troupe.mpj.comm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.matching.MessageEngine;
import org.troupe.mpj.matching.MessageOperation;
import org.troupe.mpj.matching.SendMode;

/** The attached buffer: an account of the bytes that buffered sends may hold. Thread-safe. */
final class BufferedSends {

  /*
   * A buffered message is copied into an array of its own, not into the attached bytes: its elements keep their type, and
   * the link takes them from there. The attached size bounds what all of them may hold.
   */
  static final int OVERHEAD = 64;
  private static final int OBJECT_BYTES = 256;

  private final MessageEngine engine;

  // Guarded by this
  private @Nullable Object attached;
  private long size;
  private final List<Held> held = new ArrayList<>();

  private record Held(MessageOperation send, long bytes) {}

  BufferedSends(MessageEngine engine) {
    this.engine = engine;
  }

  static long packedBytes(int count, DataLayout layout) {
    var element = layout.element();
    return (long) count
        * layout.size()
        * (element == null ? 0 : element == ElementType.OBJECT ? OBJECT_BYTES : element.bytes());
  }

  synchronized void attach(@Nullable Object buffer, int bytes) {
    if (buffer == null) {
      throw MessagingError.of(ErrorClass.BUFFER, "the buffer to attach is null");
    }
    if (attached != null) {
      throw MessagingError.of(
          ErrorClass.BUFFER, "a buffer is attached already; call Buffer_detach first");
    }
    attached = buffer;
    size = bytes;
  }

  /** Waits until all buffered messages have been sent. */
  @Nullable Object detach() {
    List<Held> left;
    Object detached;
    synchronized (this) {
      detached = attached;
      attached = null;
      left = List.copyOf(held);
      held.clear();
    }
    left.forEach(each -> engine.await(each.send()));
    return detached;
  }

  /** Sends a copy of the data. */
  void send(int context, int to, int tag, MessageBuffer data) {
    var bytes = packedBytes(data.count(), data.layout()) + OVERHEAD;
    synchronized (this) {
      held.removeIf(each -> each.send().isDone());
      var used = held.stream().mapToLong(Held::bytes).sum();
      if (attached == null || used + bytes > size) {
        throw MessagingError.of(
            ErrorClass.BUFFER,
            "a buffered send needs "
                + bytes
                + " bytes, but "
                + (attached == null
                    ? "no buffer is attached"
                    : (size - used) + " of the " + size + " attached bytes are free")
                + "; attach Pack_size + BSEND_OVERHEAD for each message under way");
      }
    }
    var row =
        data.element() == ElementType.OBJECT ? engine.network().copy(data.packed()) : data.packed();
    var copy = MessageBuffer.range(data.element(), row, 0, data.elements());
    var send = engine.send(context, to, tag, copy, SendMode.STANDARD);
    if (!send.isDone()) {
      synchronized (this) {
        held.add(new Held(send, bytes));
      }
    }
  }
}
