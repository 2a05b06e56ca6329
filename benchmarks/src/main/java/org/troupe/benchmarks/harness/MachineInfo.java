package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;

/** Describes the machine of the measurements. */
public final class MachineInfo {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private MachineInfo() {}

  /** Returns the machine, the JDK and the date in one line. */
  public static String describe() {
    return "%s, %d cores, %s %s, JDK %s, %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.version(),
            LocalDate.now());
  }

  private static String processor() {
    try (var lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException e) {
      return "unknown processor"; // not Linux
    }
  }
}
