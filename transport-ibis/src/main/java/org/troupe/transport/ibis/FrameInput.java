package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.links.Link;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Serializer;

/** Reads the frames of one link. Used by one thread at a time. */
final class FrameInput {

  private static final System.Logger LOG = System.getLogger(FrameInput.class.getPackageName());
  private static final byte[] EMPTY = {};

  /** A frame for those who have none to spare yet. */
  static final Frame NO_FRAME = new Frame(EMPTY);

  /** What is larger does not lie in a link for long, and its thread is worth waking. */
  private static final long MOST_POLLED = 256 * 1024;

  private static final long MOST_BYTES = Limits.standard().maxBytes();

  /** Smaller ones do not travel apart. */
  private static final long MOST_ARRAYS = MOST_BYTES / Serializer.APART_BYTES;

  /** Where arrays come from that are then filled. */
  interface Source {
    /** Returns one for the frame with this header. */
    Object array(byte[] header, ArrayKind kind, int length);
  }

  private final Link link;
  private final Source source;
  private final ByteBuffer buffer;
  private boolean readsAhead = true;

  /**
   * Makes an input.
   *
   * @param bytes how much is read at once
   */
  FrameInput(Link link, int bytes) {
    this(link, bytes, (_, kind, length) -> kind.newArray(length));
  }

  FrameInput(Link link, int bytes, Source source) {
    this.link = link;
    this.source = source;
    this.buffer = ByteBuffer.allocateDirect(bytes).flip();
  }

  /**
   * Reads a frame; waits for it.
   *
   * @param spare a frame whose header nobody needs any more; filled and returned if it fits
   * @return {@code null} for the word that there is no reply
   * @throws EOFException if the peer has closed the link
   * @throws BadFrameException if what comes is no frame
   */
  Frame read(Frame spare) throws IOException {
    await(FrameOutput.PREFIX_BYTES);
    int headerLength = buffer.getInt();
    int bodyLength = buffer.getInt();
    if (headerLength == FrameOutput.NOTHING && bodyLength == 0) {
      return null;
    }
    boolean hasArrays = bodyLength < 0;
    bodyLength &= ~FrameOutput.ARRAYS;
    check(headerLength, bodyLength);
    if (hasArrays) {
      return readWithArrays(headerLength, bodyLength);
    }
    if (spare.size() == headerLength && bodyLength == 0 && spare.header().length == headerLength) {
      fill(spare.header());
      return spare;
    }
    byte[] header = spare.header().length == headerLength ? spare.header() : new byte[headerLength];
    fill(header);
    byte[] body;
    try {
      body = bodyLength == 0 ? EMPTY : new byte[bodyLength];
    } catch (OutOfMemoryError e) {
      return tooLarge(header, bodyLength, e);
    }
    fill(body);
    return new Frame(header, body);
  }

  private Frame readWithArrays(int headerLength, int bodyLength) throws IOException {
    await(Integer.BYTES);
    int count = buffer.getInt();
    checkCount(count);
    byte[] codes = new byte[count];
    int[] lengths = new int[count];
    long size = (long) headerLength + bodyLength;
    for (int i = 0; i < count; i++) {
      await(FrameOutput.KIND_BYTES);
      codes[i] = buffer.get();
      lengths[i] = buffer.getInt();
      size = checkedSize(size, ArrayKind.ofCode(codes[i]), lengths[i]);
    }
    byte[] header = bytes(headerLength);
    byte[] body;
    Object[] arrays;
    try {
      body = bodyLength == 0 ? EMPTY : new byte[bodyLength];
      arrays = new Object[count];
      for (int i = 0; i < count; i++) {
        arrays[i] = source.array(header, ArrayKind.ofCode(codes[i]), lengths[i]);
      }
    } catch (OutOfMemoryError e) {
      return tooLarge(header, size - headerLength, e);
    }
    fill(body);
    for (int i = 0; i < count; i++) {
      fill(ArrayKind.segment(arrays[i]));
      if (ArrayKind.isSwapped(codes[i])) {
        ArrayKind.swap(arrays[i]);
      }
    }
    return new Frame(header, body, List.of(arrays));
  }

  /**
   * Passes over what there is no memory for. To end the link instead would only make the peer send
   * the frame again, and again.
   */
  private Frame tooLarge(byte[] header, long bytes, OutOfMemoryError error) throws IOException {
    LOG.log(
        Level.WARNING,
        "a frame of {0} bytes came and was dropped, because there is no memory for it: {1}",
        bytes,
        error.getMessage());
    for (long left = bytes; left > 0; ) {
      await(1);
      int count = (int) Math.min(left, buffer.remaining());
      buffer.position(buffer.position() + count);
      left -= count;
    }
    return Frame.tooLarge(header);
  }

  /** Refuses what no frame has, before anything is allocated for it. */
  static void check(int headerLength, int bodyLength) throws BadFrameException {
    if (headerLength < 0 || bodyLength < 0 || (long) headerLength + bodyLength > MOST_BYTES) {
      throw new BadFrameException(
          "a frame came with a header of %d and a body of %d bytes, but both together may have %d"
              .formatted(headerLength, bodyLength, MOST_BYTES));
    }
  }

  static void checkCount(int count) throws BadFrameException {
    if (count < 0 || count > MOST_ARRAYS) {
      throw new BadFrameException(
          "a frame came with %d arrays, but may have %d".formatted(count, MOST_ARRAYS));
    }
  }

  /** Returns the size of a frame with one more array; refuses it if that is too large. */
  static long checkedSize(long size, ArrayKind kind, int length) throws BadFrameException {
    long more = size + (long) length * kind.elementBytes;
    if (length < 0 || more > MOST_BYTES) {
      throw new BadFrameException(
          "a frame came with an array of %d elements, and may have %d bytes in all"
              .formatted(length, MOST_BYTES));
    }
    return more;
  }

  private byte[] bytes(int length) throws IOException {
    if (length == 0) {
      return EMPTY;
    }
    byte[] bytes = new byte[length];
    fill(bytes);
    return bytes;
  }

  private void fill(byte[] bytes) throws IOException {
    if (bytes.length <= buffer.remaining()) {
      buffer.get(bytes);
    } else {
      fill(MemorySegment.ofArray(bytes));
    }
  }

  private void fill(MemorySegment bytes) throws IOException {
    long here = fillSome(bytes);
    if (here == bytes.byteSize()) {
      return;
    }
    MemorySegment missing = bytes.asSlice(here);
    if (missing.byteSize() >= buffer.capacity()) {
      link.readFully(missing);
    } else {
      await((int) missing.byteSize());
      fillSome(missing);
    }
  }

  /** Takes what is in the buffer; returns how much that was. */
  private long fillSome(MemorySegment bytes) {
    int count = (int) Math.min(bytes.byteSize(), buffer.remaining());
    MemorySegment.copy(MemorySegment.ofBuffer(buffer), 0, bytes, 0, count);
    buffer.position(buffer.position() + count);
    return count;
  }

  /** What has come of a frame. */
  enum Next {
    WHOLE,
    PART,
    /** Perhaps not even a part, but the link cannot hold the rest at once. */
    TOO_LARGE
  }

  /**
   * Returns what has come of the next frame, of a link that can be polled; without waiting. Until
   * {@link #readAhead} no more than that frame is taken from the link.
   */
  Next next() throws IOException {
    readsAhead = false;
    if (!has(FrameOutput.PREFIX_BYTES)) {
      return Next.PART;
    }
    int at = buffer.position();
    int headerLength = buffer.getInt(at);
    int bodyLength = buffer.getInt(at + Integer.BYTES);
    boolean hasArrays = bodyLength < 0;
    long size = FrameOutput.PREFIX_BYTES + (long) headerLength + (bodyLength & ~FrameOutput.ARRAYS);
    if (hasArrays) {
      int described = FrameOutput.PREFIX_BYTES + Integer.BYTES;
      if (!has(described)) {
        return Next.PART;
      }
      int count = buffer.getInt(buffer.position() + FrameOutput.PREFIX_BYTES);
      long kinds = (long) count * FrameOutput.KIND_BYTES;
      if (count < 0 || described + kinds > buffer.capacity()) {
        return Next.TOO_LARGE;
      }
      if (!has((int) (described + kinds))) {
        return Next.PART;
      }
      size += Integer.BYTES + kinds;
      for (int i = 0; i < count; i++) {
        int kind = buffer.position() + described + i * FrameOutput.KIND_BYTES;
        size = checkedSize(size, ArrayKind.ofCode(buffer.get(kind)), buffer.getInt(kind + 1));
      }
    }
    if (size <= buffer.remaining() + link.available()) {
      return Next.WHOLE; // also what is no frame: to read it tells that
    }
    return size > MOST_POLLED ? Next.TOO_LARGE : Next.PART;
  }

  /** Sees to it that so many bytes are in the buffer, if they have come. */
  private boolean has(int bytes) throws IOException {
    if (buffer.remaining() + link.available() < bytes) {
      return false;
    }
    await(bytes);
    return true;
  }

  /** From now on, as in the beginning, takes along what has come behind a frame. */
  void readAhead() {
    readsAhead = true;
  }

  /** Says whether more has come with the last frame. */
  boolean hasRest() {
    return buffer.hasRemaining();
  }

  /** Waits until so many bytes are in the buffer; takes along what has come behind, if it may. */
  private void await(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    buffer.compact();
    if (!readsAhead) {
      buffer.limit(bytes);
    }
    try {
      while (buffer.position() < bytes) {
        if (link.read(buffer) < 0) {
          throw new EOFException("the peer has closed the link");
        }
      }
    } finally {
      buffer.flip();
    }
  }
}
