package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes that this process has written to sockets and files, as counted by the system. */
public final class WrittenBytes {

  private static final Path COUNTERS = Path.of("/proc/self/io");
  private static final String WRITTEN = "wchar: ";

  private WrittenBytes() {}

  public static boolean isAvailable() {
    return Files.isReadable(COUNTERS);
  }

  public static long bytes() {
    try (var lines = Files.lines(COUNTERS)) {
      return lines
          .filter(line -> line.startsWith(WRITTEN))
          .mapToLong(line -> Long.parseLong(line.substring(WRITTEN.length())))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
