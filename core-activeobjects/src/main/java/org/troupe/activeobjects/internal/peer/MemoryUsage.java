package org.troupe.activeobjects.internal.peer;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a node takes of its machine's memory; for the certificate of its death, should it die.
 *
 * @param heapUsedBytes garbage included
 * @param residentBytes of the whole process; 0 if that is not known
 */
public record MemoryUsage(long heapUsedBytes, long heapMostBytes, long residentBytes) {

  public static final MemoryUsage NONE = new MemoryUsage(0, 0, 0);

  private static final String STATUS = "/proc/self/status";
  private static final String RESIDENT = "VmRSS:";

  /** Those of this JVM; asked with every heartbeat, so cheap. */
  public static MemoryUsage ofThisJvm() {
    var runtime = Runtime.getRuntime();
    return new MemoryUsage(
        runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), resident());
  }

  /** As Linux says it: {@code VmRSS: 65536 kB}. */
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
