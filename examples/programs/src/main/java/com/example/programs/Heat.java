package com.example.programs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * The heat equation on a square plate whose edges are cold, by members that know their rank and
 * exchange borders, as the processes of an MPI program do.
 *
 * <p>Arguments: a descriptor, or nothing for two JVMs on this machine.
 */
public final class Heat {

  private static final int POINTS = 255;
  private static final int STEPS = 1_000;

  private Heat() {}

  /** Some rows of the plate. Each row, and the column of points, has a cold point at both ends. */
  public static class Rows {

    /** Time step by the square of the distance of two points; above 1/4 the scheme is unstable. */
    private static final double RATIO = 0.2;

    private final int points;

    /**
     * Creates the rows of a member.
     *
     * @param points the inner points along each edge of the plate
     */
    public Rows(int points) {
      this.points = points;
    }

    /** Returns the largest error of all members after some steps, by the exact solution. */
    public double error(int steps) {
      Spmd<Rows> spmd = Spmd.here(Rows.class);
      int first = Slice.start(spmd.rank(), spmd.size(), points);
      int rows = Slice.length(spmd.rank(), spmd.size(), points);
      int width = points + 2;
      double[] now = new double[(rows + 2) * width]; // with a row of each neighbour
      double[] next = new double[now.length];
      for (int row = 1; row <= rows; row++) {
        for (int column = 1; column <= points; column++) {
          now[row * width + column] = wave(first + row) * wave(column);
        }
      }
      for (int step = 0; step < steps; step++) {
        exchangeBorders(spmd, now, rows, width);
        for (int i = width; i < (rows + 1) * width; i++) {
          if (i % width != 0 && i % width != width - 1) {
            next[i] = now[i] + RATIO * (now[i - width] + now[i - 1] + now[i + 1] + now[i + width] - 4 * now[i]);
          }
        }
        double[] last = now;
        now = next;
        next = last;
      }
      // The initial wave keeps its form, and each step multiplies it by the same factor.
      double factor = 1 - 8 * RATIO * Math.pow(Math.sin(Math.PI / (points + 1) / 2), 2);
      double error = 0;
      for (int row = 1; row <= rows; row++) {
        for (int column = 1; column <= points; column++) {
          double exact = Math.pow(factor, steps) * wave(first + row) * wave(column);
          error = Math.max(error, Math.abs(now[row * width + column] - exact));
        }
      }
      return spmd.allReduce(error, Operation.MAX);
    }

    private double wave(int point) {
      return Math.sin(Math.PI * point / (points + 1));
    }

    private static void exchangeBorders(Spmd<Rows> spmd, double[] now, int rows, int width) {
      int above = spmd.rank() - 1;
      int below = spmd.rank() + 1;
      Slice<double[]> all = Slice.of(now);
      if (above >= 0) {
        spmd.send(above, all.from(width, width)); // returns at once
      }
      if (below < spmd.size()) {
        spmd.send(below, all.from(rows * width, width));
        spmd.receive(below, all.from((rows + 1) * width, width));
      }
      if (above >= 0) {
        spmd.receive(above, all.from(0, width));
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      Nodes nodes = grid.nodes().await(Nodes.all(), Duration.ofMinutes(5));
      System.out.printf(
          Locale.ROOT,
          "%d x %d points, %d steps, %d members: the largest error is %.1e%n",
          POINTS,
          POINTS,
          STEPS,
          nodes.size(),
          error(nodes, POINTS, STEPS));
    }
  }

  static double error(Nodes nodes, int points, int steps) {
    Rows plate = Groups.on(nodes).spmd(Rows.class, points);
    return Group.of(plate).ask(rows -> rows.error(steps)).toList().getFirst(); // the same at each
  }
}
