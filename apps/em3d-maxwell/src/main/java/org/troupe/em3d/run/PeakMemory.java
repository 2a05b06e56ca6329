package org.troupe.em3d.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process has used at most. */
final class PeakMemory {

  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /** The largest resident size so far in bytes, or 0 where the system does not tell. */
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
