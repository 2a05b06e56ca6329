package org.troupe.links.driver;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.troupe.links.host.LinuxSystemCalls;

/** One direction of a link in shared memory: bytes from one writer to one reader. */
final class Ring {

  /*
   * Layout
   *
   * A head of one page, then a power of two of bytes. Two counters, in bytes, give the positions of
   * the writer and of the reader. Each is written by one side, which keeps a private copy and
   * accepts the other side's counter only within bounds. Each field has its own cache line and the
   * next one, which processors prefetch with it.
   *
   * Waiting
   *
   * A side that has to wait raises its flag, checks the counters again, and sleeps on the flag (a
   * futex). A side that moves its counter checks the other's flag afterwards, and lowers the flag
   * to wake the sleeper. Both steps are sequentially consistent, so at least one side sees the
   * other's step: no wake-up is lost, and there is no system call while no thread waits. The
   * reader's flag is the lowest bit of a number that changes each time it is raised: two threads of
   * the reader may raise it, and one that is about to sleep must notice that the other has done so
   * and has been woken.
   *
   * A writer that waits for space is woken when half of the ring is free, not for each piece that
   * the reader takes; otherwise the two sides would alternate over small pieces.
   *
   * Threads
   *
   * One writer; one reader at a time, and a second thread of the reading side that only waits.
   *
   * Measurement
   *
   * With a flag of one bit a wake-up was lost once in fifty runs: the writer of the full ring slept
   * as well, and its node was declared dead (RingTest, e467857, 2026-11-22).
   */

  static final int HEAD_BYTES = 4096;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final long WRITTEN = 0;
  private static final long READ = 128;
  private static final long READER_WAITS = 256;
  private static final long WRITER_WAITS = 384;
  private static final long WRITER_LEFT = 512;
  private static final long READER_LEFT = 516;

  /** Bytes copied before the other side is notified: the size of a first-level cache. */
  private static final int PIECE_BYTES = 32 * 1024;

  private final LinuxSystemCalls system;
  private final MemorySegment head;
  private final MemorySegment bytes;
  private final ByteBuffer buffer; // the bytes as well; only absolute access
  private final MemorySegment readerWaits;
  private final MemorySegment writerWaits;
  private final int size;
  private final int mask;
  private final String name;

  private long written; // the writer's own counter
  private long read; // the reader's own counter
  private long readSeen; // the reader's counter, as last seen by the writer
  private long writtenSeen; // the writer's counter, as last seen by the reader
  private long woken; // the position of the writer's last wake-up
  private volatile boolean broken; // set on this side: by its close, or for a peer that died

  /**
   * Opens the ring in a segment.
   *
   * @param segment the head and the bytes
   * @param name for messages: the link
   */
  Ring(LinuxSystemCalls system, MemorySegment segment, String name) {
    this.system = system;
    this.name = name;
    head = segment.asSlice(0, HEAD_BYTES);
    bytes = segment.asSlice(HEAD_BYTES);
    buffer = bytes.asByteBuffer();
    readerWaits = head.asSlice(READER_WAITS, Integer.BYTES);
    writerWaits = head.asSlice(WRITER_WAITS, Integer.BYTES);
    size = (int) bytes.byteSize();
    mask = size - 1;
    assert Integer.bitCount(size) == 1;
  }

  /**
   * Says how a side waits while its flag is as it raised it: so that an interrupt can end it, or
   * not.
   */
  interface Waiting {
    void until(LinuxSystemCalls system, MemorySegment flag, int raised) throws IOException;
  }

  // The writer.

  /** Returns how many bytes can be put now. */
  private int room() throws IOException {
    int room = size - (int) (written - readSeen);
    if (room > size / 2) {
      return room;
    }
    readSeen = readByOther();
    return size - (int) (written - readSeen);
  }

  private long readByOther() throws IOException {
    long seen = (long) LONG.getAcquire(head, READ);
    if (seen < readSeen || seen > written) {
      throw corrupt();
    }
    return seen;
  }

  /** Says whether so many bytes can be put now. */
  boolean hasRoom(long bytes) throws IOException {
    if (size - (int) (written - readSeen) >= bytes) {
      return true;
    }
    readSeen = readByOther();
    return size - (int) (written - readSeen) >= bytes;
  }

  /**
   * Fails if nobody can read any more; before a write, for after it the reader may have had enough.
   */
  void checkWritable() throws IOException {
    if (broken) {
      throw new IOException(name + " is closed, or its peer has died");
    }
    if ((int) INT.getAcquire(head, READER_LEFT) != 0) {
      throw new IOException(name + " was closed by its peer");
    }
  }

  /** Puts what there is room for, and tells nobody yet; returns how much of the buffer has gone. */
  int put(ByteBuffer from) throws IOException {
    int before = from.position();
    while (from.hasRemaining()) {
      int at = (int) written & mask;
      int count = Math.min(Math.min(from.remaining(), room()), Math.min(size - at, PIECE_BYTES));
      if (count == 0) {
        break;
      }
      buffer.put(at, from, from.position(), count);
      from.position(from.position() + count);
      moveWriter(count);
    }
    return from.position() - before;
  }

  /** As {@link #put(ByteBuffer)}, from an offset of a segment on. */
  long put(MemorySegment from, long offset) throws IOException {
    long done = offset;
    while (done < from.byteSize()) {
      int at = (int) written & mask;
      int count = Math.min(room(), Math.min(size - at, PIECE_BYTES));
      count = (int) Math.min(count, from.byteSize() - done);
      if (count == 0) {
        break;
      }
      MemorySegment.copy(from, done, bytes, at, count);
      done += count;
      moveWriter(count);
    }
    return done - offset;
  }

  private void moveWriter(int count) {
    written += count;
    LONG.setRelease(head, WRITTEN, written);
    if (written - woken >= size / 4) {
      wakeReader();
    }
  }

  /** Wakes the reader if it waits; after each write. */
  void flush() {
    wakeReader();
  }

  private void wakeReader() {
    woken = written;
    VarHandle.fullFence();
    if (((int) INT.getOpaque(head, READER_WAITS) & 1) != 0 && lowerReader()) {
      system.wake(readerWaits);
    }
  }

  /** Waits until there is room, or fails. */
  void awaitRoom(Waiting waiting) throws IOException {
    wakeReader();
    while (true) {
      INT.setVolatile(head, WRITER_WAITS, 1);
      boolean room = (long) LONG.getVolatile(head, READ) != written - size;
      if (room || broken || (int) INT.getVolatile(head, READER_LEFT) != 0) {
        INT.setVolatile(head, WRITER_WAITS, 0);
        checkWritable();
        return;
      }
      waiting.until(system, writerWaits, 1);
    }
  }

  /** Says that nothing comes any more. */
  void leaveWriter() {
    INT.setVolatile(head, WRITER_LEFT, 1);
    wakeAll();
  }

  // The reader.

  /** Returns how many bytes can be taken now. */
  private int available() throws IOException {
    int available = (int) (writtenSeen - read);
    if (available > 0) {
      return available;
    }
    long seen = (long) LONG.getAcquire(head, WRITTEN);
    if (seen < writtenSeen || seen - read > size) {
      throw corrupt();
    }
    writtenSeen = seen;
    return (int) (seen - read);
  }

  /** Takes what has come, at most what there is room for; may be nothing. */
  int take(ByteBuffer into) throws IOException {
    int before = into.position();
    while (into.hasRemaining()) {
      int at = (int) read & mask;
      int count =
          Math.min(Math.min(into.remaining(), available()), Math.min(size - at, PIECE_BYTES));
      if (count == 0) {
        break;
      }
      into.put(into.position(), buffer, at, count);
      into.position(into.position() + count);
      moveReader(count);
    }
    return into.position() - before;
  }

  /** As {@link #take(ByteBuffer)}, from an offset of a segment on. */
  long take(MemorySegment into, long offset) throws IOException {
    long done = offset;
    while (done < into.byteSize()) {
      int at = (int) read & mask;
      int count = Math.min(available(), Math.min(size - at, PIECE_BYTES));
      count = (int) Math.min(count, into.byteSize() - done);
      if (count == 0) {
        break;
      }
      MemorySegment.copy(bytes, at, into, done, count);
      done += count;
      moveReader(count);
    }
    return done - offset;
  }

  private void moveReader(int count) {
    read += count;
    LONG.setVolatile(head, READ, read);
    if ((int) INT.getVolatile(head, WRITER_WAITS) != 0
        && (long) LONG.getAcquire(head, WRITTEN) - read <= size / 2
        && (int) INT.getAndSet(head, WRITER_WAITS, 0) != 0) {
      system.wake(writerWaits);
    }
  }

  /**
   * Waits until there are bytes.
   *
   * @return whether there are; not at the orderly end
   */
  boolean awaitBytes(Waiting waiting) throws IOException {
    while (true) {
      int raised = raiseReader();
      boolean left = (int) INT.getVolatile(head, WRITER_LEFT) != 0; // before the last look
      boolean lost = broken;
      boolean came = waiting() != 0;
      if (came || left || lost) {
        // The flag stays up: another thread may sleep by it. At worst nobody is woken once.
        if (!came && !left) {
          throw new IOException(name + " is closed, or its peer has died");
        }
        return came;
      }
      waiting.until(system, readerWaits, raised);
    }
  }

  /** Returns how many bytes wait to be taken, as the memory has it: somebody may be reading. */
  long waiting() {
    long taken = (long) LONG.getVolatile(head, READ); // before the other, which is never behind
    return (long) LONG.getVolatile(head, WRITTEN) - taken;
  }

  /** Says whether nothing will be put any more. */
  boolean isOver() {
    return broken || (int) INT.getVolatile(head, WRITER_LEFT) != 0;
  }

  /**
   * Takes the flag away from who waits for bytes, who sleeps on, since another thread looks for
   * them; or gives it back, and wakes who waits if something is there. It is taken away only while
   * nobody reads: for who sleeps in the midst of something is to be woken.
   */
  void poll(boolean begins) {
    if (begins) {
      lowerReader();
      return;
    }
    raiseReader();
    if (waiting() != 0) {
      system.wake(readerWaits);
    }
  }

  private int raiseReader() {
    while (true) {
      int before = (int) INT.getVolatile(head, READER_WAITS);
      int raised = before + 2 | 1;
      if (INT.compareAndSet(head, READER_WAITS, before, raised)) {
        return raised;
      }
    }
  }

  /** Returns whether it was up. */
  private boolean lowerReader() {
    return ((int) INT.getAndBitwiseAnd(head, READER_WAITS, ~1) & 1) != 0;
  }

  /** Says that nothing will be read any more. */
  void leaveReader() {
    INT.setVolatile(head, READER_LEFT, 1);
    wakeAll();
  }

  /** Ends the waits on this side: it was closed, or its peer has died. */
  void breakOff() {
    broken = true;
    wakeAll();
  }

  private void wakeAll() {
    lowerReader();
    system.wake(readerWaits);
    INT.setVolatile(head, WRITER_WAITS, 0);
    system.wake(writerWaits);
  }

  private IOException corrupt() {
    return new IOException(
        name + " is corrupt: its counters are out of range, so its peer is broken; it is closed");
  }
}
