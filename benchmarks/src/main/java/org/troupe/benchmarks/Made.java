package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A peer that is a program with MPI in another language, built as its Makefile has it into a folder
 * for it. For one thread.
 */
final class Made implements AutoCloseable {

  private final Path folder;

  private Made(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns why there can be none here; empty if there can.
   *
   * @param packages that have the tools in Debian
   */
  static Optional<String> hindrance(List<String> tools, String packages) {
    return tools.stream()
        .filter(tool -> !OpenMpi.isInstalled(tool))
        .findFirst()
        .map(tool -> "there is no " + tool + "; Debian has the peer's tools in " + packages);
  }

  /**
   * Builds one.
   *
   * @param sources folder among our resources, and with a slash
   */
  static Made of(String sources, List<String> files) throws IOException, InterruptedException {
    var made = new Made(Files.createTempDirectory("troupe-bench"));
    try {
      for (var file : files) {
        try (var source = Made.class.getResourceAsStream(sources + file)) {
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

  /** Runs a program of it, and returns what that said. */
  String run(int processes, String program, List<Object> arguments)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to"));
    command.addAll(List.of("none", "--mca", "mpi_yield_when_idle", "1"));
    command.addAll(List.of("-np", String.valueOf(processes), "./" + program));
    arguments.forEach(each -> command.add(each.toString()));
    return said(command);
  }

  /** Finds a figure in what a program said. */
  static double figure(String name, Pattern pattern, String said) throws IOException {
    var found = pattern.matcher(said);
    if (!found.find()) {
      System.err.printf("the peer said:%n%s%n", said);
      throw new IOException("the peer did not tell its " + name + "; what it said is above");
    }
    return Double.parseDouble(found.group(1));
  }

  private String said(List<String> command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      System.err.printf("'%s' said:%n%s%n", String.join(" ", command), said);
      throw new IOException(
          "%s ended with exit code %d; its own words are above"
              .formatted(command.getFirst(), process.exitValue()));
    }
    return said;
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
