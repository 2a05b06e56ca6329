package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.links.Link;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;

/** Reads the frames of one link. Used by one thread at a time. */
final class FrameInput {

  /*
   * Where a call with 1 MiB spends its time. The link moves the bytes as fast as a bare one, but the
   * called method needs a new array, which is zeroed first and lies in memory that no cache holds. The
   * rows bare-mib-fresh-* of ./troupe bench links show what a bare link loses by a new array for each
   * transfer (85f4c1b, 2026-11-21).
   */

  private static final System.Logger LOG = System.getLogger(FrameInput.class.getPackageName());
  private static final byte[] EMPTY = {};
  private static final MemorySegment NOTHING = MemorySegment.ofArray(EMPTY);

  /** So many times as much as has come is allocated for a frame that is not allocated at once. */
  private static final int GROWTH = 4;

  private static final int FIRST_ARRAYS = 256;
  private static final int FIRST_BYTES = 4 * 1024;

  /**
   * After so many bytes it is noted that the peer still sends. Few enough that they come in time
   * where many links share a slow network: 4 KiB/s for each will do.
   */
  private static final int MOST_AT_ONCE = 256 << 10;

  /** A frame for those who have none to spare yet. */
  static final Frame NO_FRAME = new Frame(EMPTY);

  private static final long MOST_BYTES = Limits.standard().maxBytes();

  /** Smaller ones do not travel apart. */
  private static final long MOST_ARRAYS = MOST_BYTES / Encoded.APART_BYTES;

  /** Where arrays go that come. */
  interface Source {
    /**
     * Returns where an array of the frame with this header goes; {@code null} if nobody waits for
     * it.
     */
    default ReceiveBuffer room(byte[] header, ArrayKind kind, int length) {
      return null;
    }

    /** Returns an array to be filled, with whatever in it. */
    default Object array(ArrayKind kind, int length) {
      return kind.newArray(length);
    }
  }

  private final Link link;
  private final ReceiveBudget budget;
  private final Source source;
  private final int capacity; // of the buffer, once it has been full
  private ByteBuffer buffer;
  private boolean wasFull; // when it was last read into
  private boolean readsAhead = true;
  private Unfinished unfinished; // or null
  private volatile long waitingSince; // in the midst of a frame, or for the first; 0: it may wait

  /**
   * Makes an input.
   *
   * @param bytes how much is read at once
   */
  FrameInput(Link link, int bytes, ReceiveBudget budget) {
    this(link, bytes, budget, new Source() {});
  }

  FrameInput(Link link, int bytes, ReceiveBudget budget, Source source) {
    this.link = link;
    this.budget = budget;
    this.source = source;
    this.capacity = bytes;
    this.buffer = ByteBuffer.allocateDirect(Math.min(bytes, FIRST_BYTES)).flip();
  }

  /** A frame of which header and sizes are known, and what of it is still to be filled. */
  private final class Unfinished {
    private final byte[] header;
    private final byte[] codes; // of the arrays
    private final Part[] parts; // the body, then the arrays
    private final long reserved; // of the budget
    private long came; // bytes, header included
    private int part; // that comes next
    private long dropped; // bytes to be passed over, because there is no memory for them
    private boolean isDropped;

    Unfinished(byte[] header, int bodyLength, byte[] codes, int[] lengths) {
      this.header = header;
      this.codes = codes;
      this.came = header.length;
      this.parts = new Part[1 + codes.length];
      long own = bodyLength;
      for (int i = 0; i < codes.length; i++) {
        var kind = ArrayKind.ofKnownCode(codes[i]);
        var room = source.room(header, kind, lengths[i]);
        parts[1 + i] = new Part(kind, lengths[i], room);
        own += room == null ? parts[1 + i].missing() : 0;
      }
      parts[0] = new Part(ArrayKind.BYTE, bodyLength, null);
      boolean isSmall = own <= ReceiveBudget.SMALL_BYTES;
      boolean isWhole = isSmall || budget.tryReserve(own);
      reserved = isSmall || !isWhole ? 0 : own;
      try {
        if (isWhole) {
          allocate();
        } else if (!budget.isPossible(own)) {
          drop();
        }
      } catch (OutOfMemoryError _) {
        drop();
      }
    }

    private void allocate() {
      if (parts[0].length > 0) {
        parts[0].becomes(new byte[parts[0].length]);
      }
      for (int i = 1; i < parts.length; i++) {
        if (!parts[i].hasRoom()) {
          parts[i].becomes(source.array(parts[i].kind, parts[i].length));
        }
      }
    }

    /** Passes over all that is still to come. To end the link would make the peer send it again. */
    void drop() {
      for (int i = part; i < parts.length; i++) {
        dropped += parts[i].missing();
      }
      part = parts.length;
      Arrays.fill(parts, null);
      isDropped = true;
      LOG.log(
          Level.WARNING,
          "a frame came over {0}, and {1} bytes of it are dropped, because there is no memory"
              + " for them; give this JVM more (-Xmx), or send less at once",
          link,
          dropped);
    }

    void release() {
      budget.release(reserved);
    }

    Frame frame() {
      if (isDropped) {
        return Frame.tooLarge(header);
      }
      var arrays = new Object[codes.length];
      for (int i = 0; i < codes.length; i++) {
        var each = parts[1 + i];
        if (ArrayKind.isSwapped(codes[i])) {
          each.kind.swap(each.segment);
        }
        arrays[i] = each.whole();
      }
      return new Frame(header, (byte[]) parts[0].array, List.of(arrays));
    }
  }

  /** The body, or an array: as large as it will be, or as what has come of it needs. */
  private static final class Part {
    private final ArrayKind kind;
    private final int length; // in elements
    private Object array;
    private MemorySegment segment; // of it, what is to be filled
    private long filled;

    /**
     * Makes one that is not allocated.
     *
     * @param room where it goes, or {@code null}
     */
    Part(ArrayKind kind, int length, ReceiveBuffer room) {
      this.kind = kind;
      this.length = length;
      this.array = room == null ? EMPTY : room.array();
      this.segment =
          room == null ? NOTHING : ArrayKind.segment(new Frame.Slice(array, room.from(), length));
    }

    boolean hasRoom() {
      return array != EMPTY;
    }

    long missing() {
      return (long) length * kind.elementBytes - filled;
    }

    /** Goes on in a larger array. */
    void becomes(Object larger) {
      MemorySegment all = ArrayKind.segment(larger);
      MemorySegment.copy(segment, 0, all, 0, filled);
      array = larger;
      segment = all;
    }

    boolean isFull() {
      return filled == segment.byteSize();
    }

    /** Returns how many elements there can be in so many bytes, but no more than there are. */
    int elements(long bytes) {
      return (int) Math.min(length, bytes / kind.elementBytes);
    }

    /** The next piece to be filled, of at most so many bytes; there is room for it. */
    MemorySegment next(long most) {
      return segment.asSlice(filled, Math.min(most, segment.byteSize() - filled));
    }

    /** Returns the array, filled. */
    Object whole() {
      return hasRoom() || kind == ArrayKind.BYTE ? array : kind.newArray(0);
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
    await(FrameOutput.PREFIX_BYTES, false);
    int headerLength = buffer.getInt();
    int bodyLength = buffer.getInt();
    if (headerLength == FrameOutput.NOTHING && bodyLength == 0) {
      mayWait();
      return null;
    }
    boolean hasArrays = bodyLength < 0;
    bodyLength &= ~FrameOutput.ARRAYS;
    check(headerLength, bodyLength);
    if (hasArrays || (long) headerLength + bodyLength > ReceiveBudget.SMALL_BYTES) {
      begin(headerLength, bodyLength, hasArrays);
      return finished();
    }
    if (spare.size() == headerLength && bodyLength == 0 && spare.header().length == headerLength) {
      fill(spare.header());
      mayWait();
      return spare;
    }
    byte[] header = spare.header().length == headerLength ? spare.header() : new byte[headerLength];
    fill(header);
    byte[] body = bodyLength == 0 ? EMPTY : new byte[bodyLength];
    fill(body);
    mayWait();
    return new Frame(header, body);
  }

  /** Reads sizes and header of a frame, and makes room for the rest. */
  private void begin(int headerLength, int bodyLength, boolean hasArrays) throws IOException {
    int count = 0;
    if (hasArrays) {
      await(Integer.BYTES, true);
      count = buffer.getInt();
      checkCount(count);
    }
    byte[] codes = new byte[Math.min(count, FIRST_ARRAYS)];
    int[] lengths = new int[codes.length];
    long size = (long) headerLength + bodyLength;
    for (int i = 0; i < count; i++) {
      await(FrameOutput.KIND_BYTES, true);
      if (i == codes.length) {
        codes = Arrays.copyOf(codes, Math.min(count, GROWTH * i));
        lengths = Arrays.copyOf(lengths, codes.length);
      }
      codes[i] = buffer.get();
      lengths[i] = buffer.getInt();
      size = checkedSize(size, ArrayKind.ofCode(codes[i]), lengths[i]);
    }
    unfinished = new Unfinished(header(headerLength), bodyLength, codes, lengths);
  }

  private byte[] header(int length) throws IOException {
    if (length == 0) {
      return EMPTY;
    }
    byte[] header = new byte[Math.min(length, ReceiveBudget.SMALL_BYTES)];
    for (int came = 0; ; ) {
      fill(MemorySegment.ofArray(header).asSlice(came));
      came = header.length;
      if (came == length) {
        return header;
      }
      header = Arrays.copyOf(header, (int) Math.min(length, (long) GROWTH * came));
    }
  }

  private Frame finished() throws IOException {
    try {
      for (Part part; (part = nextPart()) != null; ) {
        var piece = part.next(MOST_AT_ONCE);
        fill(piece);
        came(part, piece);
        if (piece.byteSize() == MOST_AT_ONCE) {
          isStillSending();
        }
      }
      while (unfinished.dropped > 0) {
        await((int) Math.min(unfinished.dropped, capacity), true);
        passOver();
      }
    } catch (IOException | RuntimeException | Error e) {
      release();
      throw e;
    }
    return ended();
  }

  /** Fills what has come; returns the frame if that was all, else {@code null}. */
  private Frame filled() throws IOException {
    boolean hasCome = false;
    try {
      for (Part part; (part = nextPart()) != null; hasCome = true) {
        var piece = part.next(buffer.remaining() + link.available());
        if (piece.byteSize() == 0) {
          return unfinished(hasCome);
        }
        fill(piece);
        came(part, piece);
      }
      for (; unfinished.dropped > 0; hasCome = true) {
        long here = Math.min(unfinished.dropped, buffer.remaining() + link.available());
        if (here == 0) {
          return unfinished(hasCome);
        }
        await((int) Math.min(here, capacity), true);
        passOver();
      }
    } catch (IOException | RuntimeException | Error e) {
      release();
      throw e;
    }
    return ended();
  }

  private Frame unfinished(boolean hasCome) {
    if (hasCome) {
      isStillSending();
    }
    return null;
  }

  /**
   * Returns the part of which something is missing, with room for some of that; {@code null} if
   * there is none, or no memory for it.
   */
  private Part nextPart() {
    var all = unfinished;
    while (all.part < all.parts.length) {
      var part = all.parts[all.part];
      if (part.missing() > 0) {
        if (part.isFull() && !grow(part)) {
          all.drop();
          return null;
        }
        return part;
      }
      all.part++;
    }
    return null;
  }

  /** What has come of the frame is then at least a quarter of what is allocated for it. */
  private boolean grow(Part part) {
    long bytes = Math.max(ReceiveBudget.SMALL_BYTES, (GROWTH - 1) * unfinished.came);
    int elements = part.elements(part.filled + bytes);
    if (!budget.isThere((long) elements * part.kind.elementBytes)) {
      return false;
    }
    try {
      part.becomes(part.kind.newArray(elements));
      return true;
    } catch (OutOfMemoryError _) {
      return false;
    }
  }

  private void came(Part part, MemorySegment piece) {
    part.filled += piece.byteSize();
    unfinished.came += piece.byteSize();
  }

  private void passOver() {
    int count = (int) Math.min(unfinished.dropped, buffer.remaining());
    buffer.position(buffer.position() + count);
    unfinished.dropped -= count;
  }

  private Frame ended() {
    var frame = unfinished.frame();
    release();
    mayWait();
    return frame;
  }

  private void release() {
    unfinished.release();
    unfinished = null;
  }

  /** The frame is whole: the next may come whenever the peer likes. */
  private void mayWait() {
    if (waitingSince != 0) {
      waitingSince = 0;
    }
  }

  /** From now on more has to come: of a frame, or the first one, for who connects has something. */
  void isStillSending() {
    waitingSince = System.nanoTime();
  }

  /**
   * Says for how long nothing has come of a frame that has begun, or of the first; 0 if nothing
   * needs to come. Any thread may ask.
   */
  long stalledNanos() {
    long since = waitingSince;
    return since == 0 ? 0 : Math.max(0, System.nanoTime() - since);
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
    if (!readsAhead || missing.byteSize() >= capacity) {
      if (readsAhead) {
        isStillSending();
      }
      link.readFully(missing);
    } else {
      await((int) missing.byteSize(), true);
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
    } else if (beginning + bodyLength <= capacity) {
      return has((int) (beginning + bodyLength)) ? read(spare) : null;
    }
    if (beginning > capacity) {
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
    await(bytes, false);
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

  /**
   * Waits until so many bytes are in the buffer; takes along what has come behind, if it may.
   *
   * @param hasBegun whether they are of a frame of which something has come
   */
  private void await(int bytes, boolean hasBegun) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    if (hasBegun || buffer.hasRemaining()) {
      isStillSending();
    }
    if (buffer.capacity() < capacity && (wasFull || bytes > buffer.capacity())) {
      buffer = ByteBuffer.allocateDirect(capacity).put(buffer);
    } else {
      buffer.compact();
    }
    if (!readsAhead) {
      buffer.limit(bytes);
    }
    try {
      while (buffer.position() < bytes) {
        if (link.read(buffer) < 0) {
          throw new EOFException("the peer has closed the link");
        }
        if (buffer.position() < bytes) {
          isStillSending();
        }
      }
    } finally {
      wasFull = buffer.position() == buffer.capacity();
      buffer.flip();
    }
  }
}
