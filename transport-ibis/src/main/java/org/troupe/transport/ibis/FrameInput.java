package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Room;
import org.troupe.links.Link;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Serializer;

/** Reads the frames of one link. Used by one thread at a time. */
final class FrameInput {

  private static final System.Logger LOG = System.getLogger(FrameInput.class.getPackageName());
  private static final byte[] EMPTY = {};

  /** A frame for those who have none to spare yet. */
  static final Frame NO_FRAME = new Frame(EMPTY);

  private static final long MOST_BYTES = Limits.standard().maxBytes();

  /** Smaller ones do not travel apart. */
  private static final long MOST_ARRAYS = MOST_BYTES / Serializer.APART_BYTES;

  /** Where arrays come from that are then filled. */
  interface Source {
    /** Returns one for the frame with this header, or a place in one. */
    Room room(byte[] header, ArrayKind kind, int length);
  }

  private final Link link;
  private final Source source;
  private final ByteBuffer buffer;
  private boolean readsAhead = true;
  private Unfinished unfinished; // or null

  /**
   * Makes an input.
   *
   * @param bytes how much is read at once
   */
  FrameInput(Link link, int bytes) {
    this(link, bytes, (_, kind, length) -> new Room(kind.newArray(length), 0, () -> {}));
  }

  FrameInput(Link link, int bytes, Source source) {
    this.link = link;
    this.source = source;
    this.buffer = ByteBuffer.allocateDirect(bytes).flip();
  }

  /** A frame of which header and sizes are known, and what of it is still to be filled. */
  private static final class Unfinished {
    private final byte[] header;
    private final byte[] body;
    private final byte[] codes; // of the arrays
    private final Object[] arrays;
    private final MemorySegment[] parts; // the body, and what is to be filled of the arrays
    private int part; // that comes next
    private long filled; // of that one
    private boolean isDropped; // because there is no memory for it
    private long dropped; // bytes to be passed over then

    /** One that is passed over. To end the link instead would only make the peer send it again. */
    Unfinished(byte[] header, long bytes, OutOfMemoryError error) {
      this(header, 0, EMPTY);
      isDropped = true;
      dropped = bytes;
      LOG.log(
          Level.WARNING,
          "a frame of {0} bytes came and was dropped, because there is no memory for it: {1}",
          bytes,
          error.getMessage());
    }

    Unfinished(byte[] header, int bodyLength, byte[] codes) {
      this.header = header;
      this.body = bodyLength == 0 ? EMPTY : new byte[bodyLength];
      this.codes = codes;
      this.arrays = new Object[codes.length];
      this.parts = new MemorySegment[1 + codes.length];
      parts[0] = MemorySegment.ofArray(body);
    }

    void array(int index, Room room, int length) {
      arrays[index] = room.array();
      parts[1 + index] = ArrayKind.segment(new Frame.Slice(room.array(), room.from(), length));
    }

    Frame frame() throws BadFrameException {
      if (isDropped) {
        return Frame.tooLarge(header);
      }
      for (int i = 0; i < codes.length; i++) {
        if (ArrayKind.isSwapped(codes[i])) {
          ArrayKind.ofCode(codes[i]).swap(parts[1 + i]);
        }
      }
      return new Frame(header, body, List.of(arrays));
    }
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
    if (unfinished != null) {
      return finished();
    }
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
      begin(headerLength, bodyLength, true);
      return finished();
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
      unfinished = new Unfinished(header, bodyLength, e);
      return finished();
    }
    fill(body);
    return new Frame(header, body);
  }

  /** Makes room for a frame, unless there is no memory for it. */
  private void begin(int headerLength, int bodyLength, boolean hasArrays) throws IOException {
    int count = 0;
    if (hasArrays) {
      await(Integer.BYTES);
      count = buffer.getInt();
      checkCount(count);
    }
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
    try {
      var begun = new Unfinished(header, bodyLength, codes);
      for (int i = 0; i < count; i++) {
        var kind = ArrayKind.ofCode(codes[i]);
        begun.array(i, source.room(header, kind, lengths[i]), lengths[i]);
      }
      unfinished = begun;
    } catch (OutOfMemoryError e) {
      unfinished = new Unfinished(header, size - headerLength, e);
    }
  }

  private Frame finished() throws IOException {
    while (unfinished.dropped > 0) {
      await((int) Math.min(unfinished.dropped, buffer.capacity()));
      passOver();
    }
    for (var each = unfinished; each.part < each.parts.length; each.part++, each.filled = 0) {
      fill(each.parts[each.part].asSlice(each.filled));
    }
    return ended();
  }

  /** Fills what has come; returns the frame if that was all, else {@code null}. */
  private Frame filled() throws IOException {
    while (unfinished.dropped > 0) {
      long here = Math.min(unfinished.dropped, buffer.remaining() + link.available());
      if (here == 0) {
        return null;
      }
      await((int) Math.min(here, buffer.capacity()));
      passOver();
    }
    for (var each = unfinished; each.part < each.parts.length; each.part++, each.filled = 0) {
      var missing = each.parts[each.part].asSlice(each.filled);
      var here =
          missing.asSlice(0, Math.min(missing.byteSize(), buffer.remaining() + link.available()));
      fill(here);
      if (here.byteSize() < missing.byteSize()) {
        each.filled += here.byteSize();
        return null;
      }
    }
    return ended();
  }

  private void passOver() {
    int count = (int) Math.min(unfinished.dropped, buffer.remaining());
    buffer.position(buffer.position() + count);
    unfinished.dropped -= count;
  }

  private Frame ended() throws BadFrameException {
    var frame = unfinished.frame();
    unfinished = null;
    return frame;
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
    if (!readsAhead || missing.byteSize() >= buffer.capacity()) {
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

  /**
   * Takes what has come of the next frame, of a link that can be polled; without waiting. Until
   * {@link #readAhead} no more than that frame is taken from the link.
   *
   * @return the frame, if that was all of it; else {@code null}
   */
  Frame poll(Frame spare) throws IOException {
    readsAhead = false;
    if (unfinished != null) {
      return filled();
    }
    if (!has(FrameOutput.PREFIX_BYTES)) {
      return null;
    }
    int at = buffer.position();
    int headerLength = buffer.getInt(at);
    int bodyLength = buffer.getInt(at + Integer.BYTES);
    boolean hasArrays = bodyLength < 0;
    bodyLength &= ~FrameOutput.ARRAYS;
    check(headerLength, bodyLength);
    long beginning = FrameOutput.PREFIX_BYTES + (long) headerLength;
    if (hasArrays) {
      if (!has(FrameOutput.PREFIX_BYTES + Integer.BYTES)) {
        return null;
      }
      int count = buffer.getInt(buffer.position() + FrameOutput.PREFIX_BYTES);
      checkCount(count);
      beginning += Integer.BYTES + (long) count * FrameOutput.KIND_BYTES;
    } else if (beginning + bodyLength <= buffer.capacity()) {
      return has((int) (beginning + bodyLength)) ? read(spare) : null;
    }
    if (beginning > buffer.capacity()) {
      link.poll(false); // it is left to who waits to read
      return null;
    }
    if (!has((int) beginning)) {
      return null;
    }
    buffer.position(buffer.position() + FrameOutput.PREFIX_BYTES);
    begin(headerLength, bodyLength, hasArrays);
    return filled();
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
