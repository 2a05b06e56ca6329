package org.troupe.benchmarks.em3d;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MemoryMonitor;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;

/**
 * The peak memory of runs on a mesh from a file, from the command to its end: the resident memory
 * of all processes together, against Fortran with MPI.
 */
final class MeshMemory {

  private static final String UNIT = "B/cell";
  private static final RowGoal GOAL = RowGoal.ratio(AT_MOST, 1.5);

  /** The smaller mesh has 511,104 cells, the larger one 4,088,832. */
  private static final int FEWER_POINTS = 45;

  private static final int MORE_POINTS = 89;
  private static final int STEPS = 20;
  private static final int PEER_PROCESSES = 2;

  private final RoundSamples samples = new RoundSamples();

  /** A command that is run to its end. */
  interface Run {
    void toEnd() throws IOException, InterruptedException;
  }

  /** Runs the solver with these arguments on this number of JVMs. */
  interface Solver {
    void solve(List<String> arguments, int jvms) throws IOException, InterruptedException;
  }

  private static List<Integer> points(boolean isQuick) {
    return isQuick ? List.of(FEWER_POINTS) : List.of(FEWER_POINTS, MORE_POINTS);
  }

  /**
   * Measures each run once, as memory hardly varies.
   *
   * @param jvms the numbers of JVMs to measure
   * @param peer {@code null} if it is missing
   */
  void measure(boolean isQuick, List<Integer> jvms, Solver solver, @Nullable FortranSolver peer)
      throws IOException, InterruptedException {
    for (var points : points(isQuick)) {
      try (var mesh = new PerturbedCube(points)) {
        var arguments = List.of("--mesh", mesh.file().toString(), "--steps", "" + STEPS);
        for (var count : jvms) {
          add(row(points, count), mesh.cells(), () -> solver.solve(arguments, count));
        }
        if (peer != null) {
          var parts = mesh.parts(PEER_PROCESSES);
          add(
              peerRow(points),
              mesh.cells(),
              () -> peer.onFile(mesh.file(), parts, PEER_PROCESSES, STEPS));
        }
      }
    }
  }

  private void add(String row, int cells, Run run) throws IOException, InterruptedException {
    try (var watch = new MemoryMonitor()) {
      run.toEnd();
      var peak = watch.samples().values().stream().mapToDouble(each -> each).max();
      samples.add(row, peak.orElse(0) * (1 << 20) / cells);
    }
  }

  private static String row(int points, int jvms) {
    return "em3d-memory-mesh"
        + (points == FEWER_POINTS ? "" : "-4m")
        + (jvms == 0 ? "" : "-" + jvms + "-jvms");
  }

  private static String peerRow(int points) {
    return "fortran-" + points;
  }

  List<BenchmarkRow> rows(boolean isQuick, List<Integer> jvms) {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var points : points(isQuick)) {
      for (var count : jvms) {
        rows.add(
            new BenchmarkRow(
                row(points, count),
                UNIT,
                samples.of(row(points, count)),
                samples.of(peerRow(points)),
                GOAL));
      }
    }
    return rows;
  }
}
