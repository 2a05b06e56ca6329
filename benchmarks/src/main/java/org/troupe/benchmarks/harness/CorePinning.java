package org.troupe.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The cores on which a JVM may run. */
public enum CorePinning {
  /** All cores. */
  NONE,

  /**
   * One core for all processes of all sides. With two cores, the time of a round trip depends on
   * the sleep state of the other core.
   */
  ONE_CORE;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Returns the prefix of a command that pins it; empty if this system cannot pin. */
  public List<String> prefix() throws IOException {
    return this == NONE || !isAvailable() ? List.of() : List.of("taskset", "-c", lastCore());
  }

  /** Returns the note for figures that should have been pinned but were not, else empty. */
  public String note() {
    return this == NONE || isAvailable() ? "" : "not pinned: no taskset here";
  }

  public static boolean isAvailable() {
    return Files.isReadable(STATUS)
        && Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "taskset")));
  }

  /**
   * Returns the last core allowed to this process: the first one usually handles the interrupts.
   */
  private static String lastCore() throws IOException {
    try (var lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> line.replaceFirst(".*\\D(?=\\d+$)", ""))
          .findFirst()
          .orElse("0");
    }
  }
}
