package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.links.Link;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;

/** Reads the frames of one link. Used by one thread at a time. */
final class FrameInput {

  /*
   * Untrusted lengths. A length is checked before memory is allocated for it. A frame is allocated at
   * once if it is small or ReceiveBudget permits it; otherwise its arrays grow with the bytes that have
   * arrived. A frame that exceeds the memory is read and discarded, as closing the link would make the
   * peer retransmit it.
   *
   * Two ways of reading. read blocks and reads ahead of the frame. poll takes only bytes that have
   * arrived, and only those of the next frame, so that a thread that shares the link can continue with a
   * blocking read.
   *
   * Where a call with 1 MiB spends its time. The link moves the bytes as fast as a bare one, but the
   * called method needs a new array, which is zeroed first and lies in memory that no cache holds. The
   * rows bare-mib-fresh-* of ./troupe bench links show the loss of a bare link that allocates an array
   * for each transfer (85f4c1b, 2026-11-21).
   *
   * Length. The class stays whole because read, poll and the growth of parts share one cursor in the hot
   * loop.
   */

  private static final System.Logger LOG = System.getLogger(FrameInput.class.getPackageName());
  private static final byte[] EMPTY = {};
  private static final MemorySegment NOTHING = MemorySegment.ofArray(EMPTY);

  /** The ratio of allocated to received bytes of a frame that is not allocated at once. */
  private static final int GROWTH = 4;

  private static final int FIRST_ARRAYS = 256;
  private static final int FIRST_BYTES = 4 * 1024;

  /**
   * The received bytes after which the stall timer restarts. Small enough for many links on a slow
   * network: 4 KiB/s for each suffices.
   */
  private static final int MOST_AT_ONCE = 256 << 10;

  /** The empty frame, for callers without a frame to reuse. */
  static final Frame NO_FRAME = new Frame(EMPTY);

  private static final long MOST_BYTES = GraphLimits.standard().maxBytes();

  /** The most arrays in a frame, as smaller ones are part of the body. */
  private static final long MOST_ARRAYS = MOST_BYTES / EncodedGraph.APART_BYTES;

  /** Supplies the memory for arrays that arrive. */
  interface Source {
    /**
     * Returns the posted receive buffer for an array of the frame with this header; {@code null} if
     * there is none.
     */
    default @Nullable ReceiveBuffer receiveBuffer(byte[] header, ArrayKind kind, int length) {
      return null;
    }

    /** Returns an array to be filled; its contents are arbitrary. */
    default Object array(ArrayKind kind, int length) {
      return kind.newArray(length);
    }
  }

  private final Link link;
  private final ReceiveBudget budget;
  private final Source source;
  private final int capacity; // of the buffer, once it has been full
  private ByteBuffer buffer;
  private boolean wasFull; // after the last read
  private boolean readsAhead = true;
  private @Nullable Unfinished unfinished; // the frame that is being received, if it is large
  private volatile long
      waitingSince; // start of a pause within a frame or before the first; 0 between frames

  /**
   * Creates an input.
   *
   * @param bytes the size of the buffer
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

  /** A frame whose header and sizes are known and whose parts are being received. */
  private final class Unfinished {
    private final byte[] header;
    private final byte[] codes; // of the arrays
    private final Part[] parts; // the body, then the arrays
    private final long reserved; // of the budget
    private long came; // received bytes, header included
    private int part; // index of the part to be received next
    private long dropped; // bytes still to be discarded for want of memory
    private boolean isDropped;

    Unfinished(byte[] header, int bodyLength, byte[] codes, int[] lengths) {
      this.header = header;
      this.codes = codes;
      this.came = header.length;
      this.parts = new Part[1 + codes.length];
      long own = bodyLength;
      for (int i = 0; i < codes.length; i++) {
        var kind = ArrayKind.ofKnownCode(codes[i]);
        var buffer = source.receiveBuffer(header, kind, lengths[i]);
        parts[1 + i] = new Part(kind, lengths[i], buffer);
        own += buffer == null ? parts[1 + i].missing() : 0;
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
        parts[0].moveTo(new byte[parts[0].length]);
      }
      for (int i = 1; i < parts.length; i++) {
        if (!parts[i].hasRoom()) {
          parts[i].moveTo(source.array(parts[i].kind, parts[i].length));
        }
      }
    }

    /**
     * Discards the rest of the frame. Closing the link instead would make the peer retransmit it.
     */
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

  /** The body or an array, allocated in full or as far as its received bytes require. */
  private static final class Part {
    private final ArrayKind kind;
    private final int length; // in elements
    private Object array;
    private MemorySegment segment; // the region of the array to be filled
    private long filled;

    /**
     * Creates a part without memory of its own.
     *
     * @param buffer the posted receive buffer, or {@code null}
     */
    Part(ArrayKind kind, int length, @Nullable ReceiveBuffer buffer) {
      this.kind = kind;
      this.length = length;
      this.array = buffer == null ? EMPTY : buffer.array();
      this.segment =
          buffer == null
              ? NOTHING
              : ArrayKind.segment(new Frame.Slice(array, buffer.from(), length));
    }

    boolean hasRoom() {
      return array != EMPTY;
    }

    long missing() {
      return (long) length * kind.elementBytes - filled;
    }

    /** Copies the received elements into a larger array and continues there. */
    void moveTo(Object larger) {
      MemorySegment all = ArrayKind.segment(larger);
      MemorySegment.copy(segment, 0, all, 0, filled);
      array = larger;
      segment = all;
    }

    boolean isFull() {
      return filled == segment.byteSize();
    }

    /**
     * Returns the number of elements that fit into this many bytes, at most the length of the
     * array.
     */
    int elements(long bytes) {
      return (int) Math.min(length, bytes / kind.elementBytes);
    }

    /** Returns the next allocated piece to be filled, of at most {@code most} bytes. */
    MemorySegment next(long most) {
      return segment.asSlice(filled, Math.min(most, segment.byteSize() - filled));
    }

    /** Returns the array, filled. */
    Object whole() {
      return hasRoom() || kind == ArrayKind.BYTE ? array : kind.newArray(0);
    }
  }

  /**
   * Reads a frame; blocks until it has arrived.
   *
   * @param spare a frame that is no longer in use; filled and returned if its size matches
   * @return the frame; {@code null} for the mark that ends an exchange without a reply
   * @throws EOFException if the peer has closed the link
   * @throws BadFrameException if the bytes form no frame
   */
  @Nullable Frame read(Frame spare) throws IOException {
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

  /** Reads the sizes and the header of a frame and allocates the rest. */
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
      while (begun().dropped > 0) {
        await((int) Math.min(begun().dropped, capacity), true);
        passOver();
      }
    } catch (IOException | RuntimeException | Error e) {
      release();
      throw e;
    }
    return ended();
  }

  /**
   * Receives the bytes that have arrived; returns the frame if it is complete, otherwise {@code
   * null}.
   */
  private @Nullable Frame filled() throws IOException {
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
      for (; begun().dropped > 0; hasCome = true) {
        long here = Math.min(begun().dropped, buffer.remaining() + link.available());
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

  private @Nullable Frame unfinished(boolean hasCome) {
    if (hasCome) {
      isStillSending();
    }
    return null;
  }

  /**
   * Returns the first incomplete part, with allocated room; {@code null} if all are complete or
   * memory is short.
   */
  private @Nullable Part nextPart() {
    var all = begun();
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

  /**
   * Enlarges a part such that at least a quarter of the memory allocated for the frame is filled.
   */
  private boolean grow(Part part) {
    long bytes = Math.max(ReceiveBudget.SMALL_BYTES, (GROWTH - 1) * begun().came);
    int elements = part.elements(part.filled + bytes);
    if (!budget.isThere((long) elements * part.kind.elementBytes)) {
      return false;
    }
    try {
      part.moveTo(part.kind.newArray(elements));
      return true;
    } catch (OutOfMemoryError _) {
      return false;
    }
  }

  private void came(Part part, MemorySegment piece) {
    part.filled += piece.byteSize();
    begun().came += piece.byteSize();
  }

  private void passOver() {
    int count = (int) Math.min(begun().dropped, buffer.remaining());
    buffer.position(buffer.position() + count);
    begun().dropped -= count;
  }

  private Frame ended() {
    var frame = begun().frame();
    release();
    mayWait();
    return frame;
  }

  /** Returns the frame that is being received. */
  private Unfinished begun() {
    return Objects.requireNonNull(unfinished, "no frame has begun");
  }

  private void release() {
    begun().release();
    unfinished = null;
  }

  /** Stops the stall timer at the end of a frame; the pause before the next one is unlimited. */
  private void mayWait() {
    if (waitingSince != 0) {
      waitingSince = 0;
    }
  }

  /**
   * Restarts the stall timer within a frame, or before the first one, which a new link must send
   * soon.
   */
  void isStillSending() {
    waitingSince = System.nanoTime();
  }

  /**
   * Returns for how long no byte of an incomplete or of the first frame has arrived; 0 between
   * frames. Any thread may call this.
   */
  long stalledNanos() {
    long since = waitingSince;
    return since == 0 ? 0 : Math.max(0, System.nanoTime() - since);
  }

  /** Rejects impossible lengths before memory is allocated for them. */
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

  /** Returns the size of a frame with one more array; throws if it exceeds the limit. */
  static long checkedSize(long size, ArrayKind kind, int length) throws BadFrameException {
    long more = size + (long) length * kind.elementBytes;
    if (length < 0 || more > MOST_BYTES) {
      throw new BadFrameException(
          "a frame came with an array of %d elements, but may have %d bytes in total"
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

  /** Copies buffered bytes; returns their number. */
  private long fillSome(MemorySegment bytes) {
    int count = (int) Math.min(bytes.byteSize(), buffer.remaining());
    MemorySegment.copy(MemorySegment.ofBuffer(buffer), 0, bytes, 0, count);
    buffer.position(buffer.position() + count);
    return count;
  }

  /**
   * Receives the bytes of the next frame that have arrived, without blocking, on a link that can be
   * polled. Until {@link #readAhead} is called, no byte after that frame is taken from the link.
   *
   * @return the frame if it is complete, otherwise {@code null}
   */
  @Nullable Frame poll(Frame spare) throws IOException {
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
      link.poll(false); // a blocking read takes such a frame
      return null;
    }
    if (!has((int) beginning)) {
      return null;
    }
    buffer.position(buffer.position() + FrameOutput.PREFIX_BYTES);
    begin(headerLength, bodyLength, hasArrays);
    return filled();
  }

  /** Buffers this many bytes if they have arrived; returns whether they have. */
  private boolean has(int bytes) throws IOException {
    if (buffer.remaining() + link.available() < bytes) {
      return false;
    }
    await(bytes, false);
    return true;
  }

  /** Permits reading ahead of the frame again, which is the initial state. */
  void readAhead() {
    readsAhead = true;
  }

  /** Returns whether bytes after the last frame are buffered. */
  boolean hasRest() {
    return buffer.hasRemaining();
  }

  /**
   * Blocks until this many bytes are buffered; reads ahead if that is permitted.
   *
   * @param hasBegun whether they belong to a frame of which bytes have arrived
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
