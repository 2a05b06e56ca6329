package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.TerminationCleanup;

/** The peer of restarts: a program for Ray that ends the process of an actor. */
public final class RayActor {

  private static final String PYTHON = "python3";
  private static final String PROGRAM = "ray_restart.py";

  private RayActor() {}

  /** Returns why the peer cannot be measured here; empty if it can. */
  public static Optional<String> whyUnavailable() throws IOException, InterruptedException {
    if (!ExternalCommand.isInstalled(PYTHON)) {
      return Optional.of("there is no python3");
    }
    var output =
        ExternalCommand.run(
            PYTHON,
            Path.of("."),
            List.of(
                PYTHON,
                "-c",
                "import importlib.util as u; print('found' if u.find_spec('ray') else 'missing')"));
    return output.contains("found")
        ? Optional.empty()
        : Optional.of("python3 has no package ray; 'pip install ray' installs it");
  }

  /**
   * Starts a process that measures the milliseconds from the end of an actor's process to its next
   * answer.
   */
  public static ContenderProcess start() throws IOException {
    var program = TerminationCleanup.folder().resolve(PROGRAM);
    try (var source =
        Objects.requireNonNull(RayActor.class.getResourceAsStream(PROGRAM), PROGRAM)) {
      Files.copy(source, program);
    }
    return ContenderProcess.start("Ray", List.of(PYTHON, program.toString()));
  }
}
