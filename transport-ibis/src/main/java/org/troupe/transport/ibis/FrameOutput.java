package org.troupe.transport.ibis;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.links.Link;

/** Writes frames to one link, as {@link FrameInput} reads them. Used by one thread at a time. */
final class FrameOutput {

  /*
   * A frame is the length of its header and that of its body, four bytes each, most significant first, and both parts.
   * If arrays travel apart, the sign of the second length is set, their number follows, and for each a byte for its type
   * and the order of its bytes, and its length in elements; behind the body they come as they are in memory.
   * What is small is gathered in one buffer, so that one write of the link carries a frame, or many. What is large goes
   * straight from its array, but for its beginning, which fills the buffer up: the peer is not woken for a prefix.
   */

  /** What is written to end an exchange without a reply: in place of the length of a header. */
  static final int NOTHING = -1;

  static final int PREFIX_BYTES = 2 * Integer.BYTES;

  /** Added to the length of the body: there are arrays. */
  static final int ARRAYS = 1 << 31;

  /** What is worth a look whether there is room for it. */
  private static final int PIECE_BYTES = 64 * 1024;

  static final int KIND_BYTES = Byte.BYTES + Integer.BYTES;

  private final Link link;
  private final ByteBuffer buffer;
  private final ByteBuffer[] parts;
  private final ArrayDeque<Frame> tooLarge = new ArrayDeque<>();
  private boolean linkHasRest; // of an offer that it has taken from the buffer

  /**
   * Makes an output.
   *
   * @param bytes how much is gathered for one write
   */
  FrameOutput(Link link, int bytes) {
    this.link = link;
    this.buffer = ByteBuffer.allocateDirect(bytes);
    this.parts = new ByteBuffer[] {buffer};
  }

  /** Adds a frame to what the next flush writes; may write, and so wait for, what is before. */
  void put(Frame frame) throws IOException {
    room(PREFIX_BYTES);
    putPrefix(frame);
    List<Object> arrays = frame.arrays();
    if (!arrays.isEmpty()) {
      putKinds(arrays);
    }
    put(frame.header());
    put(frame.body());
    for (int i = 0; i < arrays.size(); i++) {
      put(ArrayKind.segment(Frame.Slice.of(arrays.get(i))));
    }
  }

  private void putKinds(List<Object> arrays) throws IOException {
    room(Integer.BYTES);
    buffer.putInt(arrays.size());
    for (Object array : arrays) {
      room(KIND_BYTES);
      Frame.Slice slice = Frame.Slice.of(array);
      buffer.put(ArrayKind.of(slice.array()).code()).putInt(slice.length());
    }
  }

  /** Adds the word that there is no reply. */
  void putNothing() throws IOException {
    room(PREFIX_BYTES);
    buffer.putInt(NOTHING).putInt(0);
  }

  private void putPrefix(Frame frame) {
    buffer.putInt(frame.header().length);
    buffer.putInt(frame.body().length | (frame.arrays().isEmpty() ? 0 : ARRAYS));
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void put(byte[] bytes) throws IOException {
    if (bytes.length <= buffer.remaining()) {
      buffer.put(bytes);
      return;
    }
    put(MemorySegment.ofArray(bytes));
  }

  private void put(MemorySegment bytes) throws IOException {
    long beginning = putSome(bytes);
    if (beginning == bytes.byteSize()) {
      return;
    }
    flush();
    MemorySegment rest = bytes.asSlice(beginning);
    if (rest.byteSize() < buffer.capacity()) {
      putSome(rest);
    } else {
      link.write(rest);
    }
  }

  /** Fills the buffer up; returns how much of it that took. */
  private long putSome(MemorySegment bytes) {
    int count = (int) Math.min(bytes.byteSize(), buffer.remaining());
    MemorySegment.copy(bytes, 0, MemorySegment.ofBuffer(buffer), 0, count);
    buffer.position(buffer.position() + count);
    return count;
  }

  /**
   * Writes a frame straight from its arrays, waiting while the peer is slow; where nothing was
   * offered before.
   *
   * @param receiveWhile is run while the link is full, and may well return before it is not: for
   *     the peer may be slow because it waits for somebody to read what it writes
   */
  void write(Frame frame, Consumer<BooleanSupplier> receiveWhile) throws IOException {
    if (!link.canPoll()) {
      put(frame);
      flush();
      return;
    }
    room(PREFIX_BYTES);
    putPrefix(frame);
    if (!frame.arrays().isEmpty()) {
      putKinds(frame.arrays());
    }
    put(frame.header());
    put(frame.body());
    flush();
    for (Object array : frame.arrays()) {
      MemorySegment segment = ArrayKind.segment(Frame.Slice.of(array));
      for (long done = 0; (done += link.offer(segment, done)) < segment.byteSize(); ) {
        long next = Math.min(segment.byteSize() - done, PIECE_BYTES);
        receiveWhile.accept(() -> !link.hasRoom(next));
        if (!link.hasRoom(next)) {
          link.write(segment.asSlice(done));
          break;
        }
      }
    }
  }

  /** Writes all that was added; waits while the peer is slow. */
  void flush() throws IOException {
    buffer.flip();
    link.write(parts);
    linkHasRest = false;
    buffer.clear();
  }

  /**
   * Writes a frame, and what was offered before, straight from its arrays and without waiting, or
   * nothing of it.
   */
  boolean tryWrite(Frame frame) throws IOException {
    List<Object> arrays = frame.arrays();
    long size = PREFIX_BYTES + Integer.BYTES + (long) KIND_BYTES * arrays.size();
    if (!tooLarge.isEmpty()
        || size + frame.header().length + frame.body().length > buffer.remaining()) {
      return false;
    }
    int before = buffer.position();
    putPrefix(frame);
    if (!arrays.isEmpty()) {
      putKinds(arrays);
    }
    buffer.put(frame.header()).put(frame.body());
    List<MemorySegment> segments =
        arrays.size() == 1
            ? List.of(ArrayKind.segment(Frame.Slice.of(arrays.getFirst())))
            : arrays.stream().map(each -> ArrayKind.segment(Frame.Slice.of(each))).toList();
    buffer.flip();
    boolean isGone = link.tryWrite(buffer, segments);
    buffer.limit(buffer.capacity()).position(isGone ? 0 : before);
    return isGone;
  }

  /** Writes frames after all that was offered; waits while the peer is slow. */
  void send(List<Frame> frames) throws IOException {
    for (Frame each; (each = tooLarge.poll()) != null; ) {
      put(each);
    }
    for (Frame each : frames) {
      put(each);
    }
    if (buffer.position() > 0 || linkHasRest) {
      flush();
    }
  }

  /**
   * Takes frames and writes of them what goes without waiting, to a link that is shared.
   *
   * @return whether all has gone; if not, the rest goes with the next {@link #send}
   */
  boolean offer(List<Frame> frames) throws IOException {
    for (Frame each : frames) {
      if (tooLarge.isEmpty()
          && each.arrays().isEmpty()
          && PREFIX_BYTES + each.size() <= buffer.remaining()) {
        putPrefix(each);
        buffer.put(each.header()).put(each.body());
      } else if (!tryWrite(each)) {
        tooLarge.add(each);
      }
    }
    if (!tooLarge.isEmpty()) {
      return false; // the next send writes all of it, and better at once
    }
    buffer.flip();
    linkHasRest = !link.offer(parts);
    buffer.compact();
    return !linkHasRest;
  }
}
