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
 * @param file the name of the resource
 * @param install the packages that it needs, as arguments of {@code pip install}
 * @param modules the names by which it imports them
 */
public record PythonProgram(Class<?> peer, String file, String install, List<String> modules) {

  private static final String PYTHON = "python3";

  /** Returns why the program cannot run here; empty if it can. */
  public Optional<String> whyUnavailable() throws IOException, InterruptedException {
    if (!ExternalCommand.isInstalled(PYTHON)) {
      return Optional.of("there is no python3");
    }
    var search =
        "import importlib.util as u; print([m for m in %s if not u.find_spec(m)])"
            .formatted(modules.stream().map("'%s'"::formatted).toList());
    var output = ExternalCommand.run(PYTHON, Path.of("."), List.of(PYTHON, "-c", search));
    return output.strip().equals("[]")
        ? Optional.empty()
        : Optional.of(
            "python3 lacks a package of %s; 'pip install %s' installs it"
                .formatted(String.join(" and ", modules), install));
  }

  /** Returns the command that runs the program, of which it makes a copy first. */
  public List<String> command() throws IOException {
    var copy = TerminationCleanup.folder().resolve(file);
    try (var source = Objects.requireNonNull(peer.getResourceAsStream(file), file)) {
      Files.copy(source, copy);
    }
    return List.of(PYTHON, copy.toString());
  }

  /** Returns the name of the peer, which is that of the first package it imports. */
  public String library() {
    return modules.getFirst();
  }

  /** Starts the program, which follows {@link TurnProtocol}. */
  public ContenderProcess start() throws IOException {
    return ContenderProcess.start(library(), command());
  }
}
