package org.troupe.kernels;

import java.util.Arrays;
import java.util.Objects;
import mpi.Cartcomm;
import mpi.Datatype;
import mpi.MPI;

/**
 * The heat equation on a square plate with one hot edge, in explicit steps on a grid of ranks. The
 * result has the bits of the sequential one.
 */
public final class HeatEquation {

  private static final double RATE = 0.2;
  private static final double HOT = 100;

  private HeatEquation() {}

  /** Runs with so many points in each direction, and so many steps. */
  public static void main(String[] arguments) {
    var own = MPI.Init(arguments);
    var points = KernelReport.number(own, 0, 200);
    var steps = KernelReport.number(own, 1, 200);
    var dims = new int[2];
    Cartcomm.Dims_create(MPI.COMM_WORLD.Size(), dims);
    var grid =
        Objects.requireNonNull(
            MPI.COMM_WORLD.Create_cart(dims, new boolean[2], false), "each rank has a place");
    var place = grid.Get().coords;
    var top = KernelReport.begin(points, place[0], dims[0]);
    var left = KernelReport.begin(points, place[1], dims[1]);
    var rows = KernelReport.begin(points, place[0] + 1, dims[0]) - top;
    var columns = KernelReport.begin(points, place[1] + 1, dims[1]) - left;
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    var part = advance(grid, rows, columns, top == 0, steps);
    var seconds = (System.nanoTime() - began) / 1e9;
    KernelReport.end(
        "heat " + points + " x " + points + ", " + steps + " steps",
        seconds,
        isRight(part, points, steps, top, left, rows, columns));
  }

  private static double[] advance(Cartcomm grid, int rows, int columns, boolean isTop, int steps) {
    var width = columns + 2;
    var now = new double[(rows + 2) * width];
    var next = new double[(rows + 2) * width];
    if (isTop) {
      Arrays.fill(now, 0, width, HOT);
      Arrays.fill(next, 0, width, HOT);
    }
    var column = Datatype.Vector(rows, 1, width, MPI.DOUBLE);
    column.Commit();
    var vertical = grid.Shift(0, 1);
    var horizontal = grid.Shift(1, 1);
    var last = rows * width;
    for (var step = 0; step < steps; step++) {
      grid.Sendrecv(
          now,
          last + 1,
          columns,
          MPI.DOUBLE,
          vertical.rank_dest,
          1,
          now,
          1,
          columns,
          MPI.DOUBLE,
          vertical.rank_source,
          1);
      grid.Sendrecv(
          now,
          width + 1,
          columns,
          MPI.DOUBLE,
          vertical.rank_source,
          2,
          now,
          last + width + 1,
          columns,
          MPI.DOUBLE,
          vertical.rank_dest,
          2);
      grid.Sendrecv(
          now,
          width + columns,
          1,
          column,
          horizontal.rank_dest,
          3,
          now,
          width,
          1,
          column,
          horizontal.rank_source,
          3);
      grid.Sendrecv(
          now,
          width + 1,
          1,
          column,
          horizontal.rank_source,
          4,
          now,
          width + columns + 1,
          1,
          column,
          horizontal.rank_dest,
          4);
      step(now, next, rows, columns);
      var swap = now;
      now = next;
      next = swap;
    }
    return now;
  }

  private static void step(double[] now, double[] next, int rows, int columns) {
    var width = columns + 2;
    for (var i = 1; i <= rows; i++) {
      for (var j = 1; j <= columns; j++) {
        var at = i * width + j;
        next[at] =
            now[at]
                + RATE
                    * (now[at - width] + now[at + width] + now[at - 1] + now[at + 1] - 4 * now[at]);
      }
    }
  }

  /** Compares a part with the whole plate, computed here alone. */
  private static boolean isRight(
      double[] part, int points, int steps, int top, int left, int rows, int columns) {
    var width = points + 2;
    var now = new double[width * width];
    var next = new double[width * width];
    Arrays.fill(now, 0, width, HOT);
    Arrays.fill(next, 0, width, HOT);
    for (var step = 0; step < steps; step++) {
      step(now, next, points, points);
      var swap = now;
      now = next;
      next = swap;
    }
    for (var i = 1; i <= rows; i++) {
      for (var j = 1; j <= columns; j++) {
        if (part[i * (columns + 2) + j] != now[(top + i) * width + left + j]) {
          return false;
        }
      }
    }
    return true;
  }
}
