package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.benchmarks.harness.MpiProgram;

/**
 * The solver's peer: the same numerical scheme in Fortran with MPI, built by its Makefile in a
 * temporary folder. Not thread-safe.
 */
final class FortranSolver implements AutoCloseable {

  private static final String SOURCES = "fortran/";
  private static final List<String> FILES =
      List.of("Makefile", "kernels.f90", "mesh.f90", "em3d.f90");

  /** The interval of the solver. */
  private static final String ENERGY_EVERY = "efreq=10";

  /**
   * The figures that a run printed.
   *
   * @param bytesPerCell the resident bytes of all processes at the end
   */
  record Run(double millisPerStep, double bytesPerCell) {}

  private final MpiProgram program;

  private FortranSolver(MpiProgram program) {
    this.program = program;
  }

  /** Returns why the peer cannot be built here; empty if it can. */
  static Optional<String> whyUnavailable() {
    return MpiProgram.whyUnavailable("mpif90", "gfortran");
  }

  static FortranSolver build() throws IOException, InterruptedException {
    return new FortranSolver(MpiProgram.of(FortranSolver.class, "em3d", SOURCES, FILES));
  }

  /** Runs the peer on a cube with the solver's division. */
  Run onCube(int points, List<Integer> division, int steps)
      throws IOException, InterruptedException {
    var processes = division.stream().reduce(1, Math::multiplyExact);
    return run(
        processes, List.of(points, division.get(0), division.get(1), division.get(2), steps));
  }

  /**
   * Runs the peer on a mesh of the unit cube from a file.
   *
   * @param parts the partition: a file with the process of each cell, from 0, one per line
   */
  Run onFile(Path mesh, Path parts, int processes, int steps)
      throws IOException, InterruptedException {
    return run(processes, List.of(2, processes, 1, 1, steps, "mesh=" + mesh, "part=" + parts));
  }

  private Run run(int processes, List<Object> arguments) throws IOException, InterruptedException {
    List<Object> all = new ArrayList<>(arguments);
    all.add(ENERGY_EVERY);
    return parsed(program.run(processes, all));
  }

  static Run parsed(String output) throws IOException {
    return new Run(figure("per step", "ms", output), figure("per cell", "B", output));
  }

  private static double figure(String name, String unit, String output) throws IOException {
    var found = Pattern.compile(name + "\\s+([.0-9]+) " + unit).matcher(output);
    if (!found.find()) {
      System.err.printf("output of the Fortran program:%n%s%n", output);
      throw new IOException(
          "the Fortran program did not print '" + name + "'; its output is above");
    }
    return Double.parseDouble(found.group(1));
  }

  @Override
  public void close() {
    program.close();
  }
}
