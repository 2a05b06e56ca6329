package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.troupe.benchmarks.harness.MpiProgram;

/**
 * The solver's peer: the same scheme in Fortran with MPI, built as its Makefile has it into a
 * folder for it. For one thread.
 */
final class FortranSolver implements AutoCloseable {

  private static final String SOURCES = "fortran/";
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

  private final MpiProgram made;

  private FortranSolver(MpiProgram made) {
    this.made = made;
  }

  /** Returns why it cannot be measured here; empty if it can. */
  static Optional<String> hindrance() {
    return MpiProgram.missing("mpif90", "gfortran");
  }

  static FortranSolver built() throws IOException, InterruptedException {
    return new FortranSolver(MpiProgram.of(FortranSolver.class, "em3d", SOURCES, FILES));
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
    List<Object> all = new ArrayList<>(arguments);
    all.add(ENERGY_EVERY);
    return parsed(made.run(processes, all));
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

  @Override
  public void close() {
    made.close();
  }
}
