package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A peer in Python: a resource that is run by the {@code python3} of the {@code PATH}, perhaps that
 * of a virtual environment.
 *
 * @param peer the class to which the resource is relative
 * @param library the package that it imports
 * @param program the name of the resource
 */
public record PythonProgram(Class<?> peer, String library, String program) {

  private static final String PYTHON = "python3";

  /** Returns why the peer cannot be measured here; empty if it can. */
  public Optional<String> whyUnavailable() throws IOException, InterruptedException {
    if (!ExternalCommand.isInstalled(PYTHON)) {
      return Optional.of("there is no python3");
    }
    var search =
        "import importlib.util as u; print('found' if u.find_spec('%s') else 'missing')"
            .formatted(library);
    var output = ExternalCommand.run(PYTHON, Path.of("."), List.of(PYTHON, "-c", search));
    return output.contains("found")
        ? Optional.empty()
        : Optional.of(
            "python3 has no package %1$s; 'pip install %1$s' installs it".formatted(library));
  }

  /** Starts the program, which follows {@link TurnProtocol}. */
  public ContenderProcess start() throws IOException {
    var copy = TerminationCleanup.folder().resolve(program);
    try (var source = Objects.requireNonNull(peer.getResourceAsStream(program), program)) {
      Files.copy(source, copy);
    }
    return ContenderProcess.start(library, List.of(PYTHON, copy.toString()));
  }
}
