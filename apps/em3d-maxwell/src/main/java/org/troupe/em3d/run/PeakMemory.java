package org.troupe.em3d.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The peak memory of this process. */
final class PeakMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /**
   * Returns the largest resident set size so far in bytes, or 0 if the system does not report it.
   */
  static long bytes() {
    try {
      for (var line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmHWM:")) {
          return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return 0;
  }
}
