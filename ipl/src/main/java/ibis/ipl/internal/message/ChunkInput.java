package ibis.ipl.internal.message;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes the messages of one connection from chunks. Used by one thread at a time. */
public final class ChunkInput {

  /*
   * Two classes of failures. An error of the reader, such as reading too much or another type than was
   * written, is an IOException of that message; the rest of the message is skipped and the next one is
   * intact. A BrokenException concerns the connection, which was closed or holds malformed data. Memory
   * for a length is allocated only as its bytes arrive.
   */

  /** The source of the bytes. */
  public interface Source {
    /** Reads at least one byte, blocking if necessary; returns -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Reads the bytes that have arrived, without blocking; returns -1 at the end. */
    int tryRead(ByteBuffer into) throws IOException;

    /** Fills the segment, blocking if necessary. */
    void readFully(MemorySegment into) throws IOException;
  }

  /** The kinds of input between messages. */
  public enum Next {
    MESSAGE,
    /** A nudge, which only wakes the reader. */
    NUDGE,
    /** The end of the connection. */
    END
  }

  /** The connection is closed or its data is malformed. */
  public static final class BrokenException extends IOException {

    private static final long serialVersionUID = 1L;

    BrokenException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Receives the graphs that the program skips. */
  public interface Graphs {
    void skip(byte[] bytes, int offset, int length, boolean newStream);
  }

  private static final int CAPACITY = 32 * 1024;

  /** The size from which data is read directly into its destination. */
  private static final int STRAIGHT = 8 * 1024;

  /** The most memory allocated for data that has not arrived. */
  private static final int TRUSTED = 1 << 20;

  private final Source source;
  private final Graphs graphs;
  private final byte[] buffer = new byte[CAPACITY];
  private final ByteBuffer view = ByteBuffer.wrap(buffer);
  private final byte[] scratch = new byte[8];
  private int at;
  private int end;

  private int kind;
  private boolean last = true;
  private boolean newStream;
  private int left; // unread bytes of the chunk
  private long number;
  private long total; // bytes of the message's chunks so far
  private @Nullable String failure;

  private byte[] graph = {};
  private int graphOffset;

  public ChunkInput(Source source, Graphs graphs) {
    this.source = source;
    this.graphs = graphs;
  }

  /** Returns whether {@link #next} would return without blocking. */
  public boolean hasNext() {
    return end - at >= MessageChunk.HEAD + Long.BYTES
        || end - at >= MessageChunk.HEAD && (buffer[at] & MessageChunk.NUMBERED) == 0;
  }

  /**
   * Buffers the bytes that have arrived, without blocking; permitted between messages only.
   *
   * @return whether {@link #next} would return without blocking, possibly at the end of the
   *     connection
   */
  public boolean tryNext() throws BrokenException {
    while (!hasNext()) {
      makeRoom(MessageChunk.HEAD + Long.BYTES);
      int count;
      try {
        count = source.tryRead(view.limit(CAPACITY).position(end));
      } catch (IOException e) {
        throw cut(e);
      }
      if (count <= 0) {
        return count < 0;
      }
      end += count;
    }
    return true;
  }

  /**
   * Blocks until a message begins, a nudge arrives or the connection ends; permitted between
   * messages only.
   */
  public Next next() throws BrokenException {
    if (at == end && !refill()) {
      return Next.END;
    }
    int flags = readHead();
    if ((flags & MessageChunk.KIND) == MessageChunk.NUDGE && left == 0) {
      return Next.NUDGE;
    }
    if ((flags & MessageChunk.FIRST) == 0) {
      throw damaged("a message does not begin with its first chunk");
    }
    total = 0;
    failure = null;
    begin(flags);
    number = 0;
    if ((flags & MessageChunk.NUMBERED) != 0) {
      if (kind != MessageChunk.DATA || left < Long.BYTES) {
        throw damaged("a numbered message has no number");
      }
      try {
        number = readLong();
      } catch (BrokenException e) {
        throw e;
      } catch (IOException e) {
        throw damaged("a numbered message has no number", e);
      }
    }
    return Next.MESSAGE;
  }

  /** Returns the sequence number of the message, if it has one. */
  public long number() {
    return number;
  }

  /** Returns the number of bytes read of the message, including overhead of the format. */
  public long read() {
    return total - left;
  }

  private int readHead() throws BrokenException {
    fill(MessageChunk.HEAD);
    int flags = buffer[at] & 0xff;
    left = (int) MessageChunk.INT.get(buffer, at + 1);
    at += MessageChunk.HEAD;
    if (left < 0
        || left > MessageChunk.LARGEST && (flags & MessageChunk.KIND) != MessageChunk.GRAPH) {
      int length = left;
      left = 0;
      throw damaged("a chunk has the impossible length " + length);
    }
    return flags;
  }

  private void begin(int flags) throws BrokenException {
    kind = flags & MessageChunk.KIND;
    last = (flags & MessageChunk.LAST) != 0;
    newStream = (flags & MessageChunk.NEW_STREAM) != 0;
    total += MessageChunk.HEAD + (long) left;
    switch (kind) {
      case MessageChunk.DATA, MessageChunk.GRAPH:
        return;
      case MessageChunk.FAILED:
        byte[] text = readAll(Math.min(left, 4096));
        skip(left);
        last = true;
        failure = new String(text, StandardCharsets.UTF_8);
        return;
      default:
        throw damaged("a chunk has the unknown kind " + kind);
    }
  }

  private void nextChunk() throws BrokenException {
    int flags = readHead();
    if ((flags & MessageChunk.FIRST) != 0) {
      throw damaged("a message begins inside another");
    }
    begin(flags);
  }

  boolean readBoolean() throws IOException {
    return readByte() != 0;
  }

  public byte readByte() throws IOException {
    if (kind == MessageChunk.DATA && left > 0 && at < end) {
      left--;
      return buffer[at++];
    }
    return gather(1)[0];
  }

  public char readChar() throws IOException {
    return claims(2)
        ? (char) MessageChunk.CHAR.get(buffer, claim(2))
        : (char) MessageChunk.CHAR.get(gather(2), 0);
  }

  public short readShort() throws IOException {
    return claims(2)
        ? (short) MessageChunk.SHORT.get(buffer, claim(2))
        : (short) MessageChunk.SHORT.get(gather(2), 0);
  }

  public int readInt() throws IOException {
    return claims(4)
        ? (int) MessageChunk.INT.get(buffer, claim(4))
        : (int) MessageChunk.INT.get(gather(4), 0);
  }

  public long readLong() throws IOException {
    return claims(8)
        ? (long) MessageChunk.LONG.get(buffer, claim(8))
        : (long) MessageChunk.LONG.get(gather(8), 0);
  }

  public float readFloat() throws IOException {
    return claims(4)
        ? (float) MessageChunk.FLOAT.get(buffer, claim(4))
        : (float) MessageChunk.FLOAT.get(gather(4), 0);
  }

  public double readDouble() throws IOException {
    return claims(8)
        ? (double) MessageChunk.DOUBLE.get(buffer, claim(8))
        : (double) MessageChunk.DOUBLE.get(gather(8), 0);
  }

  private boolean claims(int bytes) {
    return kind == MessageChunk.DATA && bytes <= left && bytes <= end - at;
  }

  private int claim(int bytes) {
    int from = at;
    at += bytes;
    left -= bytes;
    return from;
  }

  /** Reads a few bytes, which may span chunks. */
  private byte[] gather(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      data();
      fill(1);
      scratch[i] = buffer[at++];
      left--;
    }
    return scratch;
  }

  /** Ensures that at least one byte of data is available in the chunk. */
  private void data() throws IOException {
    while (kind != MessageChunk.DATA || left == 0) {
      if (kind == MessageChunk.GRAPH && left > 0) {
        throw new IOException(
            "the next thing in the message is an object; read it with readObject, as it was written");
      }
      forward();
    }
  }

  /** Advances to the next chunk after the current one has been read. */
  private void forward() throws IOException {
    if (failure != null) {
      throw new IOException("the sender gave up its message half way: " + failure);
    }
    if (last) {
      throw new EOFException(
          "the message has ended: its sender wrote no more than has been read ("
              + total
              + " bytes)");
    }
    nextChunk();
  }

  /** Reads elements into an array. */
  public void readArray(ArrayTypes elements, Object array, int offset, int length)
      throws IOException {
    MemorySegment memory = MessageChunk.NATIVE ? elements.memory(array, offset, length) : null;
    if (memory != null && memory.byteSize() >= STRAIGHT) {
      readFully(memory);
      return;
    }
    int done = 0;
    while (done < length) {
      data();
      fill(1);
      int whole = Math.min(Math.min(left, end - at) / elements.size, length - done);
      if (whole > 0) {
        elements.read(buffer, claim(whole * elements.size), array, offset + done, whole);
      } else {
        whole = 1;
        elements.read(gather(elements.size), 0, array, offset + done, 1);
      }
      done += whole;
    }
  }

  /** Reads data into a segment. */
  public void readFully(MemorySegment into) throws IOException {
    long size = into.byteSize();
    for (long done = 0; done < size; ) {
      data();
      int part = (int) Math.min(left, size - done);
      if (end == at && part < STRAIGHT) {
        fill(1);
      }
      if (end > at) {
        part = Math.min(part, end - at);
        MemorySegment.copy(MemorySegment.ofArray(buffer), at, into, done, part);
        at += part;
      } else {
        readStraight(into.asSlice(done, part));
      }
      left -= part;
      done += part;
    }
  }

  private void readStraight(MemorySegment into) throws BrokenException {
    try {
      source.readFully(into);
    } catch (IOException e) {
      throw cut(e);
    }
  }

  /** Returns whether the next item is a graph. */
  public boolean isGraphNext() throws IOException {
    while (left == 0) {
      forward();
    }
    return kind == MessageChunk.GRAPH;
  }

  /** Returns whether the next graph begins a new stream of graphs. */
  public boolean isNewStream() {
    return newStream;
  }

  /**
   * Reads the next graph.
   *
   * @return an array that is valid until the next read and holds {@code length} bytes from {@link
   *     #graphOffset()}
   */
  public byte[] readGraph(int length) throws BrokenException {
    if (length <= CAPACITY) {
      fill(length);
      graph = buffer;
      graphOffset = claim(length);
    } else {
      graph = readAll(length);
      graphOffset = 0;
    }
    return graph;
  }

  public int graphOffset() {
    return graphOffset;
  }

  /** Returns the unread bytes of the chunk, which is the length of a graph before it is read. */
  public int left() {
    return left;
  }

  /** Reads bytes of the chunk; memory grows with the bytes that have arrived. */
  private byte[] readAll(int length) throws BrokenException {
    byte[] all = new byte[Math.min(length, TRUSTED)];
    int done = 0;
    while (true) {
      int here = Math.min(end - at, all.length - done);
      System.arraycopy(buffer, at, all, done, here);
      at += here;
      left -= here;
      done += here;
      int straight = all.length - done;
      if (straight > 0) {
        readStraight(MemorySegment.ofArray(all).asSlice(done, straight));
        left -= straight;
        done += straight;
      }
      if (done == length) {
        return all;
      }
      all = Arrays.copyOf(all, (int) Math.min(length, 2L * all.length));
    }
  }

  /**
   * Reads a string of {@code length} characters of one or two bytes each.
   *
   * @throws IOException if the message is shorter
   */
  public String readString(int length, boolean wide) throws IOException {
    byte[] bytes = readBytes(Math.multiplyExact((long) length, wide ? 2 : 1));
    if (!wide) {
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
    char[] chars = new char[length];
    ArrayTypes.CHAR.read(bytes, 0, chars, 0, length);
    return new String(chars);
  }

  /** Reads data; memory grows with the bytes that have arrived. */
  private byte[] readBytes(long length) throws IOException {
    if (length > Integer.MAX_VALUE - 8) {
      throw new IOException("a string of " + length + " bytes is too long to be one");
    }
    byte[] all = new byte[(int) Math.min(length, TRUSTED)];
    int done = 0;
    while (true) {
      readFully(MemorySegment.ofArray(all).asSlice(done));
      done = all.length;
      if (done == length) {
        return all;
      }
      all = Arrays.copyOf(all, (int) Math.min(length, 2L * all.length));
    }
  }

  /** Reads an array with its length. */
  public Object readNewArray(ArrayTypes elements, int length) throws IOException {
    if ((long) length * elements.size <= TRUSTED) {
      Object array = elements.newArray(length);
      readArray(elements, array, 0, length);
      return array;
    }
    // The array is at most twice as large as the received data.
    int done = TRUSTED / elements.size;
    Object array = elements.newArray(done);
    readArray(elements, array, 0, done);
    while (done < length) {
      int more = Math.min(length - done, done);
      Object larger = elements.newArray(done + more);
      System.arraycopy(array, 0, larger, 0, done);
      array = larger;
      readArray(elements, array, done, more);
      done += more;
    }
    return array;
  }

  /** Skips the rest of the message. */
  public void finish() throws BrokenException {
    while (true) {
      if (kind == MessageChunk.GRAPH && left > 0) {
        boolean first = newStream;
        int length = left;
        byte[] bytes = readGraph(length);
        graphs.skip(bytes, graphOffset, length, first);
      } else {
        skip(left);
      }
      if (last) {
        return;
      }
      nextChunk();
    }
  }

  private void skip(int bytes) throws BrokenException {
    int rest = bytes;
    while (rest > 0) {
      if (at == end) {
        fill(1);
      }
      int here = Math.min(rest, end - at);
      at += here;
      left -= here;
      rest -= here;
    }
  }

  /** Blocks until this many bytes are buffered. */
  private void fill(int bytes) throws BrokenException {
    while (end - at < bytes) {
      makeRoom(bytes);
      if (!refill()) {
        throw cut(null);
      }
    }
  }

  /** Compacts the buffer if the space after its position is too small for this many bytes. */
  private void makeRoom(int bytes) {
    if (at == end) {
      at = 0;
      end = 0;
    } else if (at + bytes > CAPACITY) {
      System.arraycopy(buffer, at, buffer, 0, end - at);
      end -= at;
      at = 0;
    }
  }

  /** Blocks for at least one more byte, for which the buffer has room; returns false at the end. */
  private boolean refill() throws BrokenException {
    if (at == end) {
      at = 0;
      end = 0;
    }
    try {
      int count = source.read(view.limit(CAPACITY).position(end));
      end += Math.max(count, 0);
      return count >= 0;
    } catch (IOException e) {
      throw cut(e);
    }
  }

  private BrokenException cut(@Nullable IOException cause) {
    return new BrokenException(
        "the connection broke" + (cause == null ? "" : ": " + cause.getMessage()), cause);
  }

  private BrokenException damaged(String what) {
    return damaged(what, null);
  }

  private BrokenException damaged(String what, @Nullable Throwable cause) {
    return new BrokenException(
        what + "; the bytes are damaged or not from a peer of this version", cause);
  }
}
