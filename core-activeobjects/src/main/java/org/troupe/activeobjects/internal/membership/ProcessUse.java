package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The use of the machine by the process of this JVM.
 *
 * @param processorNanos the processor time since the start of the process; 0 if it is unknown
 * @param residentBytes the resident set; 0 if it is unknown, as it is on all systems but Linux
 */
record ProcessUse(long processorNanos, long residentBytes) {

  private static final Source SOURCE = new Source();

  /** Reads the use of this JVM. Cheap, because each heartbeat calls it. */
  static ProcessUse ofThisJvm() {
    return SOURCE.read();
  }

  /** The file with both figures, which stays open. Thread-safe. */
  private static final class Source {

    /*
     * Measured: the heartbeats of an idle node are too few for their code to be compiled, and opening a file takes many more
     * steps of it than reading from an open one. So all figures come from one file, which is opened once.
     */
    private static final String STATUS = "/proc/self/stat";

    /** Begins with the size of the address space in pages. */
    private static final String PAGES = "/proc/self/statm";

    private static final int MOST_BYTES = 1_024; // of some 50 numbers
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10); // on all Linuxes

    // Words behind the name of the program, which may contain spaces
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int SIZE_BYTES = 20;
    private static final int RESIDENT_PAGES = 21;

    private final byte[] bytes = new byte[MOST_BYTES]; // guarded by this
    private @Nullable RandomAccessFile file; // null before the first reading; guarded by this
    private long pageBytes; // guarded by this

    synchronized ProcessUse read() {
      try {
        var opened = file;
        if (opened == null) {
          opened = new RandomAccessFile(STATUS, "r");
          file = opened;
        }
        opened.seek(0);
        var text = new String(bytes, 0, opened.read(bytes), StandardCharsets.ISO_8859_1);
        var numbers = numbers(text);
        if (pageBytes == 0) {
          pageBytes = pageBytes(numbers[SIZE_BYTES]);
        }
        return new ProcessUse(
            (numbers[USER_TICKS] + numbers[SYSTEM_TICKS]) * TICK_NANOS,
            numbers[RESIDENT_PAGES] * pageBytes);
      } catch (IOException | RuntimeException e) {
        return ofThisProcess(); // not Linux
      }
    }

    private static ProcessUse ofThisProcess() {
      var processor = ProcessHandle.current().info().totalCpuDuration();
      return new ProcessUse(processor.map(Duration::toNanos).orElse(0L), 0);
    }

    /** Returns the words behind the name of the program; 0 for those that are not needed. */
    private static long[] numbers(String text) {
      var numbers = new long[RESIDENT_PAGES + 1];
      var begin = text.lastIndexOf(')') + 2;
      for (var i = 0; i <= RESIDENT_PAGES; i++) {
        var end = text.indexOf(' ', begin);
        if (i == USER_TICKS || i == SYSTEM_TICKS || i == SIZE_BYTES || i == RESIDENT_PAGES) {
          numbers[i] = Long.parseLong(text, begin, end, 10);
        }
        begin = end + 1;
      }
      return numbers;
    }

    /** Returns the size of a page, a power of two; the process may have grown meanwhile. */
    private static long pageBytes(long sizeBytes) throws IOException {
      try (var pages = new RandomAccessFile(PAGES, "r")) {
        var line = pages.readLine();
        var ratio = sizeBytes / Long.parseLong(line, 0, line.indexOf(' '), 10);
        return Long.highestOneBit(ratio + ratio / 2);
      }
    }
  }
}
