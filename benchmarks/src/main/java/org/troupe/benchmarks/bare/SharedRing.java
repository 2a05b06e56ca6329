package org.troupe.benchmarks.bare;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** A ring buffer in memory that two processes have mapped; one writes, the other reads. */
final class SharedRing {

  /*
   * Protocol. Two counters only grow, each with a single writer: bytes written and bytes read. A side
   * that has to wait sets its flag, checks the other side's counter again, and sleeps on the low half
   * of that counter. A side that has advanced its counter checks the other side's flag. Flags and
   * counters are accessed as volatile, so at least one side sees the other's change. Each is on its own
   * pair of cache lines.
   */
  private static final long WRITTEN = 0;
  private static final long READER_WAITS = 128;
  private static final long READ = 256;
  private static final long WRITER_WAITS = 384;
  private static final long DATA = 512;

  /**
   * Fits into a core's own cache: a mebibyte was transferred faster than through a ring four times
   * as large.
   */
  private static final int CAPACITY = 1 << 18;

  /** The size of a ring in the file. */
  static final long BYTES = DATA + CAPACITY;

  private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle FLAG = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment memory;
  private final MemorySegment data;
  private final MemorySegment writtenWord;
  private final MemorySegment readWord;

  /** Creates a ring in zeroed memory of {@link #BYTES}, little-endian. */
  SharedRing(MemorySegment memory) {
    this.memory = memory;
    data = memory.asSlice(DATA, CAPACITY);
    writtenWord = memory.asSlice(WRITTEN, Integer.BYTES);
    readWord = memory.asSlice(READ, Integer.BYTES);
  }

  void write(MemorySegment from) {
    var length = from.byteSize();
    var written = (long) COUNTER.get(memory, WRITTEN);
    for (var done = 0L; done < length; ) {
      var free = CAPACITY - (int) (written - awaitChange(READ, written - CAPACITY, WRITER_WAITS));
      var at = (int) written & (CAPACITY - 1);
      var part = Math.min(Math.min(free, length - done), CAPACITY - at);
      MemorySegment.copy(from, done, data, at, part);
      done += part;
      written += part;
      COUNTER.setVolatile(memory, WRITTEN, written);
      wakeIfWaiting(READER_WAITS, writtenWord);
    }
  }

  void readFully(MemorySegment into) {
    var length = into.byteSize();
    var read = (long) COUNTER.get(memory, READ);
    for (var done = 0L; done < length; ) {
      var ready = (int) (awaitChange(WRITTEN, read, READER_WAITS) - read);
      var at = (int) read & (CAPACITY - 1);
      var part = Math.min(Math.min(ready, length - done), CAPACITY - at);
      MemorySegment.copy(data, at, into, done, part);
      done += part;
      read += part;
      COUNTER.setVolatile(memory, READ, read);
      wakeIfWaiting(WRITER_WAITS, readWord);
    }
  }

  /** Waits until the other side's counter differs from a value; returns the counter. */
  private long awaitChange(long counter, long unchanged, long flag) {
    var now = (long) COUNTER.getAcquire(memory, counter);
    if (now != unchanged) {
      return now;
    }
    FLAG.setVolatile(memory, flag, 1);
    while ((now = (long) COUNTER.getVolatile(memory, counter)) == unchanged) {
      SharedFutex.await(counter == WRITTEN ? writtenWord : readWord, (int) unchanged);
    }
    FLAG.setVolatile(memory, flag, 0);
    return now;
  }

  private void wakeIfWaiting(long flag, MemorySegment word) {
    if ((int) FLAG.getVolatile(memory, flag) != 0) {
      SharedFutex.wake(word);
    }
  }
}
