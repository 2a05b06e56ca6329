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
 * The solver's peer: the same scheme in Fortran with MPI, built as its Makefile has it into a
 * folder for it. For one thread.
 */
final class Fortran implements AutoCloseable {

  private static final String SOURCES = "em3d-fortran/";
  private static final List<String> FILES =
      List.of("Makefile", "kernels.f90", "mesh.f90", "em3d.f90");

  /** As often as the solver sums it. */
  private static final String ENERGY_EVERY = "efreq=10";

  /**
   * What a run said of itself.
   *
   * @param bytesPerCell resident in the end, over all processes
   */
  record Run(double millisPerStep, double bytesPerCell) {}

  private final Path folder;

  private Fortran(Path folder) {
    this.folder = folder;
  }

  /** Returns why it cannot be measured here; empty if it can. */
  static Optional<String> hindrance() {
    return List.of("mpif90", "mpirun", "make").stream()
        .filter(tool -> !OpenMpi.isInstalled(tool))
        .findFirst()
        .map(
            tool ->
                "there is no "
                    + tool
                    + "; Debian has the peer's tools in gfortran and libopenmpi-dev and make");
  }

  static Fortran built() throws IOException, InterruptedException {
    var built = new Fortran(Files.createTempDirectory("troupe-bench"));
    try {
      for (var file : FILES) {
        try (var source = Fortran.class.getResourceAsStream(SOURCES + file)) {
          Files.copy(source, built.folder.resolve(file));
        }
      }
      built.said(List.of("make"));
      return built;
    } catch (IOException | InterruptedException e) {
      built.close();
      throw e;
    }
  }

  /** Runs it on a cube, divided as ours is. */
  Run onCube(int points, List<Integer> division, int steps)
      throws IOException, InterruptedException {
    var processes = division.stream().reduce(1, Math::multiplyExact);
    return run(
        processes, List.of(points, division.get(0), division.get(1), division.get(2), steps));
  }

  /**
   * Runs it on a mesh of the unit cube.
   *
   * @param parts has a line for each cell: its process, from 0
   */
  Run onFile(Path mesh, Path parts, int processes, int steps)
      throws IOException, InterruptedException {
    return run(processes, List.of(2, processes, 1, 1, steps, "mesh=" + mesh, "part=" + parts));
  }

  private Run run(int processes, List<Object> arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to"));
    command.addAll(List.of("none", "--mca", "mpi_yield_when_idle", "1"));
    command.addAll(List.of("-np", String.valueOf(processes), "./em3d"));
    arguments.forEach(each -> command.add(each.toString()));
    command.add(ENERGY_EVERY);
    return parsed(said(command));
  }

  static Run parsed(String said) throws IOException {
    return new Run(figure("per step", "ms", said), figure("per cell", "B", said));
  }

  private static double figure(String name, String unit, String said) throws IOException {
    var found = Pattern.compile(name + "\\s+([.0-9]+) " + unit).matcher(said);
    if (!found.find()) {
      System.err.printf("the Fortran program said:%n%s%n", said);
      throw new IOException(
          "the Fortran program did not tell its " + name + "; what it said is above");
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
