package org.troupe.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** On which cores a JVM may run. */
public enum CorePinning {
  /** Wherever the system likes. */
  NONE,

  /**
   * One core for all that take part. With two, a round trip is fast or slow by the state that the
   * other core happens to sleep in.
   */
  ONE_CORE;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Returns what goes before the command; empty where the system cannot pin. */
  public List<String> prefix() throws IOException {
    return this == NONE || !isPossible() ? List.of() : List.of("taskset", "-c", lastCore());
  }

  /** Returns what to know of figures that were to be pinned so; empty if they were. */
  public String note() {
    return this == NONE || isPossible() ? "" : "not pinned: no taskset here";
  }

  public static boolean isPossible() {
    return Files.isReadable(STATUS)
        && Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "taskset")));
  }

  /** The last core allowed to this process: the first one has the interrupts, more often. */
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
