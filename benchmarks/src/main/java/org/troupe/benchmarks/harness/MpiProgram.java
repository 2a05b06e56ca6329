package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A peer that runs by MPI, built as its Makefile has it into a folder for it. For one thread. */
public final class MpiProgram implements AutoCloseable {

  private final Path folder;
  private final String program;

  private MpiProgram(Path folder, String program) {
    this.folder = folder;
    this.program = program;
  }

  /**
   * Returns why none can be built here; empty if it can.
   *
   * @param compiler that is needed
   * @param language Debian's package of the compiler
   */
  public static Optional<String> missing(String compiler, String language) {
    return Stream.of(compiler, "mpirun", "make")
        .filter(tool -> !ExternalCommand.isInstalled(tool))
        .findFirst()
        .map(
            tool ->
                "there is no %s; Debian has the peer's tools in %s and libopenmpi-dev and make"
                    .formatted(tool, language));
  }

  /**
   * Builds a program from sources among the resources.
   *
   * @param peer the class beside which the folder of the sources is
   * @param sources the folder, with a slash at the end
   */
  public static MpiProgram of(Class<?> peer, String program, String sources, List<String> files)
      throws IOException, InterruptedException {
    var made = new MpiProgram(Files.createTempDirectory("troupe-bench"), program);
    try {
      for (var file : files) {
        try (var source = peer.getResourceAsStream(sources + file)) {
          Files.copy(source, made.folder.resolve(file));
        }
      }
      made.said(List.of("make"));
      return made;
    } catch (IOException | InterruptedException e) {
      made.close();
      throw e;
    }
  }

  /** Runs it, and returns what it says. */
  public String run(int processes, List<?> arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to"));
    command.addAll(List.of("none", "--mca", "mpi_yield_when_idle", "1"));
    command.addAll(List.of("-np", String.valueOf(processes), "./" + program));
    arguments.forEach(each -> command.add(each.toString()));
    return said(command);
  }

  private String said(List<String> command) throws IOException, InterruptedException {
    return ExternalCommand.said(command.getFirst(), folder, command);
  }

  @Override
  public void close() {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      folder.toFile().deleteOnExit(); // some kilobytes in the system's folder for such
    }
  }
}
