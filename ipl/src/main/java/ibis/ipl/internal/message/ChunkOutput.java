package ibis.ipl.internal.message;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes messages as chunks. Used by one thread at a time. */
public final class ChunkOutput {

  /*
   * Gathering. A small message is gathered whole and written once, by finish: a message that cannot be
   * completed has no effect on receivers, and an empty one takes one packet.
   *
   * Borrowing. A large array is not copied but borrowed until the next flush, as IPL's contract permits.
   * The length in the open chunk's head then includes it, so that scalars and arrays share one chunk,
   * which can also be the last of the message.
   */

  /** The destination of chunks. */
  public interface Sink {
    /** Begins a write of whole chunks. */
    void begin();

    /**
     * Ends a write, successful or not; the argument tells whether more of the message may follow.
     */
    void end(boolean isInMessage);

    void write(ByteBuffer part) throws IOException;

    void write(MemorySegment part) throws IOException;
  }

  /** The number of buffered bytes that is worth a system call. */
  static final int FLUSH = 64 * 1024;

  /** The size from which an array is borrowed. */
  static final int BORROW = 16 * 1024;

  private static final int SMALLEST = 512;
  private static final int NONE = -1;

  private record Borrowed(int before, MemorySegment bytes) {}

  private final Sink sink;
  private final List<Borrowed> borrowed = new ArrayList<>();
  private byte[] buffer = new byte[SMALLEST];
  private ByteBuffer view = ByteBuffer.wrap(buffer);
  private int at;
  private int head = NONE; // position of the open or last chunk's head
  private boolean open;
  private long borrowedInChunk;
  private long borrowedInAll;
  private long sent;
  private int firstFlags;

  public ChunkOutput(Sink sink) {
    this.sink = sink;
  }

  /** Begins a message without a number. */
  public void begin() {
    clear();
    sent = 0;
    firstFlags = MessageChunk.FIRST;
  }

  /** Begins a message with a number. */
  public void begin(long number) throws IOException {
    begin();
    firstFlags |= MessageChunk.NUMBERED;
    writeLong(number);
  }

  private void clear() {
    at = 0;
    head = NONE;
    open = false;
    borrowed.clear();
    borrowedInChunk = 0;
    borrowedInAll = 0;
  }

  /** Returns the size of the message so far, including overhead of the format. */
  public long written() {
    return sent + at + borrowedInAll;
  }

  /** Returns whether part of the message has been written. */
  public boolean hasLeft() {
    return sent > 0;
  }

  public void writeByte(int value) throws IOException {
    int at = claim(1);
    buffer[at] = (byte) value;
  }

  public void writeShort(short value) throws IOException {
    int at = claim(2); // may replace the buffer, here and below
    MessageChunk.SHORT.set(buffer, at, value);
  }

  public void writeChar(char value) throws IOException {
    int at = claim(2);
    MessageChunk.CHAR.set(buffer, at, value);
  }

  public void writeInt(int value) throws IOException {
    int at = claim(4);
    MessageChunk.INT.set(buffer, at, value);
  }

  public void writeLong(long value) throws IOException {
    int at = claim(8);
    MessageChunk.LONG.set(buffer, at, value);
  }

  public void writeFloat(float value) throws IOException {
    int at = claim(4);
    MessageChunk.FLOAT.set(buffer, at, value);
  }

  public void writeDouble(double value) throws IOException {
    int at = claim(8);
    MessageChunk.DOUBLE.set(buffer, at, value);
  }

  /** Writes elements; those of a large array are borrowed until the next flush. */
  public void writeArray(ArrayTypes elements, Object array, int offset, int length)
      throws IOException {
    long bytes = (long) length * elements.size;
    MemorySegment memory =
        bytes < BORROW || !MessageChunk.NATIVE ? null : elements.memory(array, offset, length);
    if (memory != null) {
      borrow(memory);
      return;
    }
    int most = BORROW / elements.size;
    for (int done = 0; done < length; done += most) {
      int part = Math.min(most, length - done);
      int to = claim(part * elements.size);
      elements.write(array, offset + done, part, buffer, to);
    }
  }

  /** Writes bytes of a segment; a large one is borrowed until the next flush. */
  public void write(MemorySegment bytes) throws IOException {
    if (bytes.byteSize() >= BORROW) {
      borrow(bytes);
      return;
    }
    int length = (int) bytes.byteSize();
    int to = claim(length);
    MemorySegment.copy(bytes, 0, MemorySegment.ofArray(buffer), to, length);
  }

  /**
   * Writes a graph as a chunk of its own; the bytes are not used afterwards.
   *
   * @param newStream whether it begins a new stream of graphs
   */
  public void writeGraph(ByteBuffer graph, boolean newStream) throws IOException {
    int length = graph.remaining();
    openChunk(MessageChunk.GRAPH | (newStream ? MessageChunk.NEW_STREAM : 0));
    if (length >= BORROW) {
      borrowed.add(new Borrowed(at, MemorySegment.ofBuffer(graph)));
      borrowedInChunk += length;
      borrowedInAll += length;
      flush();
    } else {
      room(length);
      graph.get(buffer, at, length);
      at += length;
      closeChunk();
    }
  }

  private void borrow(MemorySegment bytes) throws IOException {
    long size = bytes.byteSize();
    for (long done = 0; done < size; ) {
      if (at + borrowedInAll >= FLUSH) {
        flush();
      }
      if (!open) {
        openChunk(MessageChunk.DATA);
      }
      long part = Math.min(size - done, MessageChunk.LARGEST - FLUSH);
      borrowed.add(new Borrowed(at, bytes.asSlice(done, part)));
      borrowedInChunk += part;
      borrowedInAll += part;
      done += part;
    }
  }

  /** Reserves room for data and returns its position. */
  private int claim(int bytes) throws IOException {
    if (open && bytes <= buffer.length - at) {
      int from = at;
      at = from + bytes;
      return from;
    }
    return claimSlowly(bytes);
  }

  private int claimSlowly(int bytes) throws IOException {
    if (at + borrowedInAll + bytes >= FLUSH && at + borrowedInAll > 0) {
      flush();
    }
    if (!open) {
      openChunk(MessageChunk.DATA);
    }
    room(bytes);
    int from = at;
    at = from + bytes;
    return from;
  }

  private void openChunk(int kindAndFlags) {
    closeChunk();
    room(MessageChunk.HEAD);
    head = at;
    buffer[head] = (byte) (kindAndFlags | firstFlags);
    firstFlags = 0;
    at += MessageChunk.HEAD;
    borrowedInChunk = 0;
    open = true;
  }

  private void closeChunk() {
    if (open) {
      MessageChunk.INT.set(
          buffer, head + 1, (int) (at - head - MessageChunk.HEAD + borrowedInChunk));
      open = false;
    }
  }

  private void room(int bytes) {
    if (bytes > buffer.length - at) {
      byte[] larger = new byte[Math.max(2 * buffer.length, at + bytes)];
      System.arraycopy(buffer, 0, larger, 0, at);
      buffer = larger;
      view = ByteBuffer.wrap(buffer);
    }
  }

  /** Writes all buffered data and returns the borrowed arrays. */
  public void flush() throws IOException {
    if (at > 0) {
      send(true);
    }
  }

  private void send(boolean isInMessage) throws IOException {
    closeChunk();
    sink.begin();
    try {
      int from = 0;
      for (Borrowed next : borrowed) {
        if (next.before > from) {
          sink.write(view.limit(next.before).position(from));
        }
        sink.write(next.bytes);
        from = next.before;
      }
      if (at > from) {
        sink.write(view.limit(at).position(from));
      }
    } finally {
      sink.end(isInMessage);
      view.clear();
      sent += at + borrowedInAll;
      clear();
    }
  }

  /**
   * Writes the rest of the message and its end.
   *
   * @return the size of the message, including overhead of the format
   */
  public long finish() throws IOException {
    if (head == NONE) {
      openChunk(MessageChunk.DATA);
    }
    buffer[head] |= MessageChunk.LAST;
    send(false);
    return sent;
  }

  /** Aborts the message; receivers of a part of it receive the reason. */
  public void fail(String why) throws IOException {
    clear();
    if (sent == 0) {
      return;
    }
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    openChunk(MessageChunk.FAILED | MessageChunk.LAST);
    room(text.length);
    System.arraycopy(text, 0, buffer, at, text.length);
    at += text.length;
    send(false);
  }
}
