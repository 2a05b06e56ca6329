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
  private static final long WRITER_CLOSED = 512;
  private static final long READER_CLOSED = 516;

  /** Bytes copied before the other side is notified: the size of a first-level cache. */
  private static final int PIECE_BYTES = 32 * 1024;

  private final LinuxSystemCalls system;
  private final MemorySegment head;
  private final MemorySegment bytes;
  private final ByteBuffer buffer; // a view of bytes; absolute access only
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
  private volatile boolean broken; // by close on this side or the death of the peer

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

  /** Waits while a flag has the value with which this side has raised it; may be interruptible. */
  interface WaitStrategy {
    void await(LinuxSystemCalls system, MemorySegment flag, int raised) throws IOException;
  }

  // The writer.

  /** Returns the number of bytes that can be written now. */
  private int free() throws IOException {
    int free = size - (int) (written - readSeen);
    if (free > size / 2) {
      return free;
    }
    readSeen = readByPeer();
    return size - (int) (written - readSeen);
  }

  private long readByPeer() throws IOException {
    long seen = (long) LONG.getAcquire(head, READ);
    if (seen < readSeen || seen > written) {
      throw corrupt();
    }
    return seen;
  }

  /** Returns whether so many bytes can be written now. */
  boolean hasRoom(long bytes) throws IOException {
    if (size - (int) (written - readSeen) >= bytes) {
      return true;
    }
    readSeen = readByPeer();
    return size - (int) (written - readSeen) >= bytes;
  }

  /**
   * Fails if the reader has closed the link. Called before a write only, as the reader may close
   * the link after it has read all the bytes that it needs.
   */
  void checkWritable() throws IOException {
    if (broken) {
      throw new IOException(name + " is closed, or its peer has died");
    }
    if ((int) INT.getAcquire(head, READER_CLOSED) != 0) {
      throw new IOException(name + " was closed by its peer");
    }
  }

  /** Writes the bytes that fit, without notifying the reader; returns their number. */
  int put(ByteBuffer from) throws IOException {
    int before = from.position();
    while (from.hasRemaining()) {
      int at = (int) written & mask;
      int count = Math.min(Math.min(from.remaining(), free()), Math.min(size - at, PIECE_BYTES));
      if (count == 0) {
        break;
      }
      buffer.put(at, from, from.position(), count);
      from.position(from.position() + count);
      advanceWriter(count);
    }
    return from.position() - before;
  }

  /** Writes the bytes of a segment from an offset on that fit, as {@link #put(ByteBuffer)} does. */
  long put(MemorySegment from, long offset) throws IOException {
    long done = offset;
    while (done < from.byteSize()) {
      int at = (int) written & mask;
      int count = Math.min(free(), Math.min(size - at, PIECE_BYTES));
      count = (int) Math.min(count, from.byteSize() - done);
      if (count == 0) {
        break;
      }
      MemorySegment.copy(from, done, bytes, at, count);
      done += count;
      advanceWriter(count);
    }
    return done - offset;
  }

  private void advanceWriter(int count) {
    written += count;
    LONG.setRelease(head, WRITTEN, written);
    if (written - woken >= size / 4) {
      wakeReader();
    }
  }

  /** Wakes the reader if it waits; called after each write. */
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

  /** Blocks until bytes can be written; fails if the reader has closed the link. */
  void awaitFree(WaitStrategy strategy) throws IOException {
    wakeReader();
    while (true) {
      INT.setVolatile(head, WRITER_WAITS, 1);
      boolean hasFree = (long) LONG.getVolatile(head, READ) != written - size;
      if (hasFree || broken || (int) INT.getVolatile(head, READER_CLOSED) != 0) {
        INT.setVolatile(head, WRITER_WAITS, 0);
        checkWritable();
        return;
      }
      strategy.await(system, writerWaits, 1);
    }
  }

  /** Ends the stream. */
  void closeWriter() {
    INT.setVolatile(head, WRITER_CLOSED, 1);
    wakeAll();
  }

  // The reader.

  /** Returns the number of bytes that can be read now. */
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

  /** Reads the bytes that have arrived and fit; returns their number, possibly 0. */
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
      advanceReader(count);
    }
    return into.position() - before;
  }

  /** Reads into a segment from an offset on, as {@link #take(ByteBuffer)} does. */
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
      advanceReader(count);
    }
    return done - offset;
  }

  private void advanceReader(int count) {
    read += count;
    LONG.setVolatile(head, READ, read);
    if ((int) INT.getVolatile(head, WRITER_WAITS) != 0
        && (long) LONG.getAcquire(head, WRITTEN) - read <= size / 2
        && (int) INT.getAndSet(head, WRITER_WAITS, 0) != 0) {
      system.wake(writerWaits);
    }
  }

  /**
   * Blocks until bytes can be read.
   *
   * @return false at the orderly end
   */
  boolean awaitBytes(WaitStrategy strategy) throws IOException {
    while (true) {
      int raised = raiseReader();
      boolean ended = (int) INT.getVolatile(head, WRITER_CLOSED) != 0; // read before the counter
      boolean isBroken = broken;
      boolean hasBytes = unread() != 0;
      if (hasBytes || ended || isBroken) {
        // The flag stays raised, as another thread may sleep on it; one wake-up may be in vain.
        if (!hasBytes && !ended) {
          throw new IOException(name + " is closed, or its peer has died");
        }
        return hasBytes;
      }
      strategy.await(system, readerWaits, raised);
    }
  }

  /**
   * Returns the number of unread bytes by the shared counters, as another thread may be reading.
   */
  long unread() {
    long taken = (long) LONG.getVolatile(head, READ); // read first, as it never exceeds the other
    return (long) LONG.getVolatile(head, WRITTEN) - taken;
  }

  /** Returns whether no more bytes will be written. */
  boolean isOver() {
    return broken || (int) INT.getVolatile(head, WRITER_CLOSED) != 0;
  }

  /**
   * Starts or ends polling by another thread. At the start, the flag of the waiting thread is
   * lowered, so that the writer does not wake it; at the end it is raised again, and the waiting
   * thread is woken if bytes have arrived. Polling starts only while no thread reads, as a reader
   * that waits for the rest of its data must be woken.
   */
  void poll(boolean begins) {
    if (begins) {
      lowerReader();
      return;
    }
    raiseReader();
    if (unread() != 0) {
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

  /** Lowers the reader's flag; returns whether it was raised. */
  private boolean lowerReader() {
    return ((int) INT.getAndBitwiseAnd(head, READER_WAITS, ~1) & 1) != 0;
  }

  /** Announces that no more bytes will be read. */
  void closeReader() {
    INT.setVolatile(head, READER_CLOSED, 1);
    wakeAll();
  }

  /** Ends the waits on this side, as the link was closed or the peer has died. */
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
