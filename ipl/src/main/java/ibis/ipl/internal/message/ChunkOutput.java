package ibis.ipl.internal.message;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Turns what is written to a message into chunks; used by one thread at a time. */
public final class ChunkOutput {

  /*
   * Small messages are gathered whole and leave with finish, in one write: so one that cannot be
   * completed costs nobody anything, and a null message is one packet. Large arrays are not copied
   * but borrowed until the next flush, which IPL's contract allows; the head of their chunk then
   * counts them, so that header, scalars and arrays are one chunk and the last one can say so.
   */

  /** Where what is written goes. */
  public interface Sink {
    /** Whole chunks follow. */
    void begin();

    /** All are written, or could not be; says whether more of this message may follow. */
    void end(boolean isInMessage);

    void write(ByteBuffer part) throws IOException;

    void write(MemorySegment part) throws IOException;
  }

  /** From this many bytes on, a flush is worth its system call. */
  static final int FLUSH = 64 * 1024;

  /** From this many bytes on, an array is borrowed. */
  static final int BORROW = 16 * 1024;

  private static final int SMALLEST = 512;
  private static final int NONE = -1;

  private record Borrowed(int before, MemorySegment bytes) {}

  private final Sink sink;
  private final List<Borrowed> borrowed = new ArrayList<>();
  private byte[] buffer = new byte[SMALLEST];
  private ByteBuffer view = ByteBuffer.wrap(buffer);
  private int at;
  private int head = NONE; // of the chunk that is open, or was the last
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

  /** Returns the bytes of this message so far, with those of the form. */
  public long written() {
    return sent + at + borrowedInAll;
  }

  /** Returns whether some of this message has left already. */
  public boolean hasLeft() {
    return sent > 0;
  }

  public void writeByte(int value) throws IOException {
    int at = claim(1);
    buffer[at] = (byte) value;
  }

  public void writeShort(short value) throws IOException {
    int at = claim(2); // may replace the buffer, as in what follows
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

  /** Writes bytes from anywhere; large ones are borrowed until the next flush. */
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
   * Writes a graph, a chunk of its own; the bytes are no longer needed afterwards.
   *
   * @param newStream whether it is the first of a new stream of graphs
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

  /** Makes room for so many bytes of data, and returns where they go. */
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

  /** Sends all that was written so far; what was borrowed is free again afterwards. */
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
   * Sends the rest of the message, with its end.
   *
   * @return the bytes of the message, with those of the form
   */
  public long finish() throws IOException {
    if (head == NONE) {
      openChunk(MessageChunk.DATA);
    }
    buffer[head] |= MessageChunk.LAST;
    send(false);
    return sent;
  }

  /** Gives the message up: whoever has a part of it already is told why. */
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
