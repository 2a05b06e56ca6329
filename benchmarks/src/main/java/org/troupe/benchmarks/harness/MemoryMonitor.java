package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records the total resident memory of all descendant processes over time. */
public final class MemoryMonitor implements AutoCloseable {

  /**
   * A sample costs some milliseconds of processor time, which disturbs a concurrent measurement.
   */
  private static final long INTERVAL_MILLIS = 200;

  private final SortedMap<Double, Double> samples = new TreeMap<>(); // guarded by this
  private final long began = System.nanoTime();
  private final Thread thread = Thread.ofPlatform().daemon().name("memory").start(this::watch);

  private void watch() {
    try {
      for (; ; ) {
        sample();
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      // The monitor was closed.
    }
  }

  /** Adds a sample. */
  synchronized void sample() {
    var bytes = ProcessHandle.current().descendants().mapToLong(each -> resident(each.pid())).sum();
    if (bytes > 0) {
      samples.put((System.nanoTime() - began) / 1e9, bytes / (double) (1 << 20));
    }
  }

  /**
   * Returns the resident bytes of a process; 0 if it has ended, or the system does not provide
   * them.
   */
  public static long resident(long pid) {
    try (var status = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return status
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /**
   * Returns MiB by seconds since the beginning, without the times at which there was no process.
   */
  public synchronized SortedMap<Double, Double> samples() {
    return new TreeMap<>(samples);
  }

  @Override
  public void close() {
    thread.interrupt(); // the thread ends by itself, and its last sample is not needed
  }
}
