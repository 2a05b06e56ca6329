package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A peer that uses MPI, built in a temporary folder. Not thread-safe. */
public final class MpiProgram implements AutoCloseable {

  private final Path folder;
  private final String program;

  private MpiProgram(Path folder, String program) {
    this.folder = folder;
    this.program = program;
  }

  /**
   * Returns why such a program cannot be built here; empty if it can.
   *
   * @param compiler the command of the MPI compiler
   * @param language Debian's package of the compiler
   */
  public static Optional<String> whyUnavailable(String compiler, String language) {
    return Stream.of(compiler, "mpirun", "make")
        .filter(tool -> !ExternalCommand.isInstalled(tool))
        .findFirst()
        .map(
            tool ->
                "there is no %s; Debian has the peer's tools in %s and libopenmpi-dev and make"
                    .formatted(tool, language));
  }

  /**
   * Compiles a C program from one resource, whose name is that of the program with the suffix
   * {@code .c}.
   *
   * @param peer the class to which the resource is relative
   */
  public static MpiProgram compiled(Class<?> peer, String program)
      throws IOException, InterruptedException {
    var source = program + ".c";
    return built(
        peer, program, "", List.of(source), List.of("mpicc", "-O3", "-o", program, source));
  }

  /**
   * Builds a program from resources by its Makefile.
   *
   * @param peer the class to which the folder of the sources is relative
   * @param sources the folder, with a slash at the end
   */
  public static MpiProgram of(Class<?> peer, String program, String sources, List<String> files)
      throws IOException, InterruptedException {
    return built(peer, program, sources, files, List.of("make"));
  }

  private static MpiProgram built(
      Class<?> peer, String program, String sources, List<String> files, List<String> compilation)
      throws IOException, InterruptedException {
    var built = new MpiProgram(TerminationCleanup.folder(), program);
    try {
      for (var file : files) {
        try (var source = Objects.requireNonNull(peer.getResourceAsStream(sources + file), file)) {
          Files.copy(source, built.folder.resolve(file));
        }
      }
      built.execute(compilation);
      return built;
    } catch (IOException | InterruptedException e) {
      built.close();
      throw e;
    }
  }

  /** Runs the program and returns its output. */
  public String run(int processes, List<?> arguments) throws IOException, InterruptedException {
    return execute(command(processes, List.of(), arguments));
  }

  /**
   * Returns the command that runs the program.
   *
   * @param options further options of {@code mpirun}
   */
  public List<String> command(int processes, List<String> options, List<?> arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("mpirun", "--allow-run-as-root", "--oversubscribe"));
    command.addAll(List.of("--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"));
    command.addAll(options);
    command.addAll(List.of("-np", String.valueOf(processes), folder.resolve(program).toString()));
    arguments.forEach(each -> command.add(each.toString()));
    return command;
  }

  private String execute(List<String> command) throws IOException, InterruptedException {
    return ExternalCommand.run(command.getFirst(), folder, command);
  }

  @Override
  public void close() {
    try {
      TerminationCleanup.delete(folder);
    } catch (IOException e) {
      System.err.println("the folder of an MPI program was not deleted: " + e.getMessage());
    }
  }
}
