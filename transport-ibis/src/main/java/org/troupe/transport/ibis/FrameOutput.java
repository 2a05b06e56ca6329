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

/**
 * Writes frames to one link in the format that {@link FrameInput} reads. Used by one thread at a
 * time.
 */
final class FrameOutput {

  /*
   * Format. A frame is the length of its header and the length of its body, four bytes each, big-endian,
   * followed by both. If arrays follow the body, the sign bit of the second length is set. Their number
   * then follows the lengths, and for each array a byte for element type and byte order, and its length
   * in elements. The arrays come after the body in the sender's memory layout.
   *
   * Buffering. Small parts are gathered in one buffer, so one write of the link carries a whole frame,
   * or many. A large part is written from its array without a copy, except for its beginning, which
   * fills the buffer: the peer is not woken for a prefix alone.
   */

  /** Replaces the length of a header to end an exchange without a reply. */
  static final int NOTHING = -1;

  static final int PREFIX_BYTES = 2 * Integer.BYTES;

  /** Flag in the length of the body: arrays follow. */
  static final int ARRAYS = 1 << 31;

  /** The free space in the link that is worth a further offer. */
  private static final int PIECE_BYTES = 64 * 1024;

  static final int KIND_BYTES = Byte.BYTES + Integer.BYTES;

  private final Link link;
  private final ByteBuffer buffer;
  private final ByteBuffer[] parts;
  private final ArrayDeque<Frame> tooLarge = new ArrayDeque<>();
  private boolean linkHasRest; // the link holds unsent bytes of an earlier offer

  /**
   * Creates an output.
   *
   * @param bytes the size of the buffer
   */
  FrameOutput(Link link, int bytes) {
    this.link = link;
    this.buffer = ByteBuffer.allocateDirect(bytes);
    this.parts = new ByteBuffer[] {buffer};
  }

  /** Buffers a frame for the next flush; blocks to write buffered data if the buffer is full. */
  void put(Frame frame) throws IOException {
    ensureSpace(PREFIX_BYTES);
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
    ensureSpace(Integer.BYTES);
    buffer.putInt(arrays.size());
    for (Object array : arrays) {
      ensureSpace(KIND_BYTES);
      Frame.Slice slice = Frame.Slice.of(array);
      buffer.put(ArrayKind.of(slice.array()).code()).putInt(slice.length());
    }
  }

  /** Buffers the mark that ends an exchange without a reply. */
  void putNothing() throws IOException {
    ensureSpace(PREFIX_BYTES);
    buffer.putInt(NOTHING).putInt(0);
  }

  private void putPrefix(Frame frame) {
    buffer.putInt(frame.header().length);
    buffer.putInt(frame.body().length | (frame.arrays().isEmpty() ? 0 : ARRAYS));
  }

  private void ensureSpace(int bytes) throws IOException {
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

  /** Copies as many bytes as fit into the buffer; returns their number. */
  private long putSome(MemorySegment bytes) {
    int count = (int) Math.min(bytes.byteSize(), buffer.remaining());
    MemorySegment.copy(bytes, 0, MemorySegment.ofBuffer(buffer), 0, count);
    buffer.position(buffer.position() + count);
    return count;
  }

  /**
   * Writes a frame without copying its arrays; blocks while the peer is slow. Permitted only while
   * no offered data is pending.
   *
   * @param receiveWhile receives frames while the link is full, as the peer may be blocked because
   *     this side does not read; may return while the link is still full
   */
  void write(Frame frame, Consumer<BooleanSupplier> receiveWhile) throws IOException {
    if (!link.canPoll()) {
      put(frame);
      flush();
      return;
    }
    ensureSpace(PREFIX_BYTES);
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

  /** Writes all buffered data; blocks while the peer is slow. */
  void flush() throws IOException {
    buffer.flip();
    link.write(parts);
    linkHasRest = false;
    buffer.clear();
  }

  /**
   * Writes a frame, after earlier offered data, without copying its arrays and without blocking.
   * Writes the whole frame or nothing of it, and returns which.
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

  /** Writes frames after all offered data; blocks while the peer is slow. */
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
   * Accepts frames and writes as much of them as a shared link takes without blocking.
   *
   * @return whether all is written; otherwise the next {@link #send} writes the rest
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
      return false; // the next send writes all of it in one piece
    }
    buffer.flip();
    linkHasRest = !link.offer(parts);
    buffer.compact();
    return !linkHasRest;
  }
}
