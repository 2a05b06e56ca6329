package org.troupe.kernels;

import java.util.Arrays;
import mpi.MPI;

/**
 * The kernel CG of the NAS parallel benchmarks: the least eigenvalue of a sparse matrix by inverse
 * iteration, with the rows of the matrix divided among the ranks.
 */
public final class ConjugateGradient {

  private static final int ITERATIONS = 15;
  private static final int INNER_ITERATIONS = 25;
  private static final double CONDITION = 0.1;
  private static final double TOLERANCE = 1e-10;

  /** The published sizes, and results after 15 iterations. */
  private enum Size {
    S(1_400, 7, 10, 8.5971775078648),
    W(7_000, 8, 12, 10.362595087124),
    A(14_000, 11, 20, 17.130235054029);

    private final int order;
    private final int nonZeros;
    private final double shift;
    private final double zeta;

    Size(int order, int nonZeros, double shift, double zeta) {
      this.order = order;
      this.nonZeros = nonZeros;
      this.shift = shift;
      this.zeta = zeta;
    }
  }

  private final Size size;
  private final int first; // of the own rows
  private final int rows;
  private final int[] counts; // of rows, by rank
  private final int[] begins;
  private final int[] starts; // in the arrays below, of each own row
  private final int[] columns;
  private final double[] values;
  private final double[] whole; // a vector, gathered
  private final double[] sums = new double[1];

  private ConjugateGradient(Size size) {
    this.size = size;
    var ranks = MPI.COMM_WORLD.Size();
    var rank = MPI.COMM_WORLD.Rank();
    counts = new int[ranks];
    begins = new int[ranks];
    for (var i = 0; i < ranks; i++) {
      begins[i] = KernelReport.begin(size.order, i, ranks);
      counts[i] = KernelReport.begin(size.order, i + 1, ranks) - begins[i];
    }
    first = begins[rank];
    rows = counts[rank];
    whole = new double[size.order];
    var matrix =
        new RandomSparseMatrix(size.order, size.nonZeros, size.shift, CONDITION, first, rows);
    starts = matrix.starts();
    columns = matrix.columns();
    values = matrix.values();
  }

  /** Runs a size, S unless the argument says another. */
  public static void main(String[] arguments) {
    var own = MPI.Init(arguments);
    var size = own.length > 0 ? Size.valueOf(own[0]) : Size.S;
    var kernel = new ConjugateGradient(size);
    var zeta = kernel.run(1); // untimed, as the rules say
    MPI.COMM_WORLD.Barrier();
    var began = System.nanoTime();
    zeta = kernel.run(ITERATIONS);
    var seconds = (System.nanoTime() - began) / 1e9;
    KernelReport.end("CG " + size, seconds, Math.abs(zeta - size.zeta) / size.zeta <= TOLERANCE);
  }

  private double run(int iterations) {
    var x = new double[rows];
    var z = new double[rows];
    Arrays.fill(x, 1);
    var zeta = 0.0;
    for (var i = 0; i < iterations; i++) {
      solve(x, z);
      zeta = size.shift + 1 / dot(x, z);
      var norm = 1 / Math.sqrt(dot(z, z));
      for (var j = 0; j < rows; j++) {
        x[j] = norm * z[j];
      }
    }
    return zeta;
  }

  /** Solves A z = x approximately, by 25 steps of conjugate gradients. */
  private void solve(double[] x, double[] z) {
    var r = x.clone();
    var p = x.clone();
    var q = new double[rows];
    Arrays.fill(z, 0);
    var rho = dot(r, r);
    for (var step = 0; step < INNER_ITERATIONS; step++) {
      multiply(p, q);
      var alpha = rho / dot(p, q);
      for (var j = 0; j < rows; j++) {
        z[j] += alpha * p[j];
        r[j] -= alpha * q[j];
      }
      var last = rho;
      rho = dot(r, r);
      var beta = rho / last;
      for (var j = 0; j < rows; j++) {
        p[j] = r[j] + beta * p[j];
      }
    }
  }

  private void multiply(double[] p, double[] q) {
    MPI.COMM_WORLD.Allgatherv(p, 0, rows, MPI.DOUBLE, whole, 0, counts, begins, MPI.DOUBLE);
    for (var row = 0; row < rows; row++) {
      var sum = 0.0;
      for (var i = starts[row]; i < starts[row + 1]; i++) {
        sum += values[i] * whole[columns[i]];
      }
      q[row] = sum;
    }
  }

  private double dot(double[] a, double[] b) {
    var sum = 0.0;
    for (var i = 0; i < rows; i++) {
      sum += a[i] * b[i];
    }
    MPI.COMM_WORLD.Allreduce(new double[] {sum}, 0, sums, 0, 1, MPI.DOUBLE, MPI.SUM);
    return sums[0];
  }
}
