package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much memory the processes that this one has started take together, in the course of time. */
public final class MemoryMonitor implements AutoCloseable {

  /** To look takes some milliseconds, which whoever is measured meanwhile does not have. */
  private static final long INTERVAL_MILLIS = 200;

  private final SortedMap<Double, Double> samples = new TreeMap<>(); // under this
  private final long began = System.nanoTime();
  private final Thread thread = Thread.ofPlatform().daemon().name("memory").start(this::watch);

  private void watch() {
    try {
      for (; ; ) {
        sample();
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      // It has been closed.
    }
  }

  /** Looks once more. */
  synchronized void sample() {
    var bytes = ProcessHandle.current().descendants().mapToLong(each -> resident(each.pid())).sum();
    if (bytes > 0) {
      samples.put((System.nanoTime() - began) / 1e9, bytes / (double) (1 << 20));
    }
  }

  /** The resident bytes of a process; 0 if it is gone, or where the system does not tell. */
  private static long resident(long pid) {
    try (var status = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return status
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /** MiB by the seconds since the beginning; nothing of when there was no process. */
  public synchronized SortedMap<Double, Double> samples() {
    return new TreeMap<>(samples);
  }

  @Override
  public void close() {
    thread.interrupt(); // it ends by itself, and nobody waits for what it finds
  }
}
