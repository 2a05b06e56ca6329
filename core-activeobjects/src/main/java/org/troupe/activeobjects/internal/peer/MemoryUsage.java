package org.troupe.activeobjects.internal.peer;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The memory that a node uses; the exit report of a lost node shows the last usage reported.
 *
 * @param heapUsedBytes the used part of the heap, garbage included
 * @param residentBytes the resident set of the process; 0 if it is unknown
 */
public record MemoryUsage(long heapUsedBytes, long heapMostBytes, long residentBytes) {

  public static final MemoryUsage NONE = new MemoryUsage(0, 0, 0);

  private static final String STATUS = "/proc/self/status";
  private static final String RESIDENT = "VmRSS:";

  /** Returns the memory usage of this JVM. Cheap, because each heartbeat calls it. */
  public static MemoryUsage ofThisJvm() {
    var runtime = Runtime.getRuntime();
    return new MemoryUsage(
        runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), resident());
  }

  /** Reads the resident set from Linux's line {@code VmRSS: 65536 kB}. */
  public static long resident() {
    try (var in = new BufferedReader(new FileReader(STATUS, StandardCharsets.US_ASCII))) {
      for (String line; (line = in.readLine()) != null; ) {
        if (line.startsWith(RESIDENT)) {
          var number = line.substring(RESIDENT.length(), line.length() - " kB".length()).strip();
          return Long.parseLong(number) * 1024;
        }
      }
      return 0;
    } catch (IOException | RuntimeException e) {
      return 0; // not Linux
    }
  }
}
