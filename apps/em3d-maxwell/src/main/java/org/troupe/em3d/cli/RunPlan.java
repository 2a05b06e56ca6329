package org.troupe.em3d.cli;

import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.TetrahedralPart;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.state.RunCheckpoint;

/**
 * The division, the cost and the time step of a run that is not started.
 *
 * @param nodes number of nodes
 * @param cfl the time step as a fraction of its bound
 * @param bound of the time step (m)
 */
record RunPlan(MaxwellProblem problem, int nodes, double cfl, double bound, int steps) {

  /*
   * Memory per cell: both fields; volume, surface, barycentre, permittivity, permeability, and two factors; four
   * neighbours (one per vertex of a face for linear functions), number and region; nine weights, or one byte in a
   * cube. Memory per border face: a ghost of each field, and a send buffer.
   */
  private static final int DOUBLES_PER_CELL = 1 + 1 + 3 + 2 + 2;

  private static final int WEIGHTS_BYTES = 9 * Double.BYTES;

  /**
   * The sizes of all sub-domains.
   *
   * @param cells of each
   * @param borderFaces of each
   * @param weightsBytes of a cell
   */
  private record Sizes(long[] cells, long[] borderFaces, int weightsBytes) {

    long mostMemory(PolynomialOrder order) {
      var ofCell = cellBytes(order, weightsBytes);
      var ofFace = Double.BYTES * 3L * order.borderValues();
      var most = 0L;
      for (var k = 0; k < cells.length; k++) {
        most = Math.max(most, cells[k] * ofCell + borderFaces[k] * ofFace);
      }
      return most;
    }
  }

  /** Returns the bytes of a cell whose curl weights are its own, without its share of borders. */
  static long cellBytes(PolynomialOrder order) {
    return cellBytes(order, WEIGHTS_BYTES);
  }

  private static long cellBytes(PolynomialOrder order, int weightsBytes) {
    return Double.BYTES * (2L * order.cellValues() + DOUBLES_PER_CELL)
        + Integer.BYTES * (4L * order.borderValues() / 3 + 2)
        + weightsBytes;
  }

  /** Returns the plan as a short table. */
  String toTable() {
    var partition = problem.partition(nodes);
    var sizes = sizes(partition);
    var borders = LongStream.of(sizes.borderFaces).sum();
    var used = Math.min(nodes, partition.parts().size());
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("mesh", "%s, %,d cells".formatted(problem.mesh(), problem.cells()));
    rows.put(
        "sub-domains",
        "%d on %d of %d nodes  (%s)"
            .formatted(
                partition.parts().size(),
                used,
                nodes,
                partition.division().isEmpty()
                    ? partition.partitioner()
                    : partition.division() + advice()));
    rows.put("cells each", range(sizes.cells));
    rows.put(
        "border faces",
        "%,d, counted on both sides; %s each".formatted(borders, range(sizes.borderFaces)));
    rows.put(
        "sent", "%,d bytes per step".formatted(problem.order().borderBytesPerStep() * borders));
    rows.put(
        "memory",
        "about %,d MB for the largest sub-domain, %,d MB for a state here"
            .formatted(
                (sizes.mostMemory(problem.order()) >> 20) + 1,
                (RunCheckpoint.memory(problem.checkpointRun(cfl)) >> 20) + 1));
    rows.put(
        "time step",
        "%.4g s  (%s of the bound up to which it is proved stable)"
            .formatted(cfl * bound / Physics.SPEED_OF_LIGHT, cfl));
    rows.put(
        "steps",
        "%,d, which is %.4g s".formatted(steps, steps * cfl * bound / Physics.SPEED_OF_LIGHT));
    return rows.entrySet().stream()
        .map(row -> "  %-14s  %s%n".formatted(row.getKey(), row.getValue()))
        .collect(Collectors.joining());
  }

  /**
   * Returns a hint if the division with fewest border faces has fewer sub-domains than nodes, as
   * more of them would not be smaller.
   */
  private String advice() {
    if (problem.partition(nodes).parts().getFirst()
            instanceof CubePart(int points, CubeDivision division, int rank)
        && division.size() < nodes) {
      return "; %d sub-domains would be no smaller".formatted(nodes);
    }
    return "";
  }

  private static String range(long[] sizes) {
    LongSummaryStatistics all = LongStream.of(sizes).summaryStatistics();
    return all.getMin() == all.getMax()
        ? "%,d".formatted(all.getMax())
        : "%,d to %,d".formatted(all.getMin(), all.getMax());
  }

  private static Sizes sizes(MaxwellProblem.Partition partition) {
    var cells = new long[partition.parts().size()];
    var borders = new long[cells.length];
    for (var k = 0; k < cells.length; k++) {
      switch (partition.parts().get(k)) {
        case CubePart part -> {
          var box = part.extents();
          cells[k] = 6L * box[0] * box[1] * box[2];
          borders[k] = part.borderFaces();
        }
        case TetrahedralPart part -> {
          cells[k] = part.cells();
          borders[k] = part.borderFaces();
        }
      }
    }
    return new Sizes(cells, borders, partition.division().isEmpty() ? WEIGHTS_BYTES : Byte.BYTES);
  }
}
