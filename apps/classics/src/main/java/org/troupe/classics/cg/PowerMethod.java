package org.troupe.classics.cg;

import java.util.Arrays;

/**
 * Finds the eigenvalue of a symmetric matrix that is nearest to a shift, by inverse iteration; each
 * system of equations is solved approximately by conjugate gradients (M. Hestenes and E. Stiefel,
 * 1952).
 */
final class PowerMethod {

  /**
   * The result of the iteration.
   *
   * @param zeta the eigenvalue
   * @param residual the error of the last solution
   */
  record Answer(double zeta, double residual) {}

  private static final int ITERATIONS = 25; // of each solution

  private final LinearOperator matrix;
  private final double[] x;
  private final double[] z;
  private final double[] p;
  private final double[] q;
  private final double[] r;

  PowerMethod(LinearOperator matrix) {
    this.matrix = matrix;
    x = new double[matrix.length()];
    z = new double[matrix.length()];
    p = new double[matrix.length()];
    q = new double[matrix.length()];
    r = new double[matrix.length()];
  }

  Answer run(NasProblemClass problem) {
    var zeta = 0.0;
    var residual = 0.0;
    Arrays.fill(x, 1);
    for (var i = 0; i < problem.iterations; i++) {
      residual = solve();
      zeta = problem.shift + 1 / product(x, z);
      var scale = 1 / Math.sqrt(product(z, z));
      for (var j = 0; j < x.length; j++) {
        x[j] = scale * z[j];
      }
    }
    return new Answer(zeta, residual);
  }

  /** Solves {@code A z = x} approximately; returns the norm of the residual. */
  private double solve() {
    Arrays.fill(z, 0);
    System.arraycopy(x, 0, r, 0, x.length);
    System.arraycopy(x, 0, p, 0, x.length);
    var rho = product(r, r);
    for (var i = 0; i < ITERATIONS; i++) {
      matrix.multiply(p, q);
      var alpha = rho / product(p, q);
      for (var j = 0; j < z.length; j++) {
        z[j] += alpha * p[j];
        r[j] -= alpha * q[j];
      }
      var last = rho;
      rho = product(r, r);
      var beta = rho / last;
      for (var j = 0; j < p.length; j++) {
        p[j] = r[j] + beta * p[j];
      }
    }
    matrix.multiply(z, r);
    for (var j = 0; j < r.length; j++) {
      r[j] = x[j] - r[j];
    }
    return Math.sqrt(product(r, r));
  }

  private double product(double[] a, double[] b) {
    var even = 0.0;
    var odd = 0.0;
    var i = 0;
    for (; i < a.length - 1; i += 2) {
      even += a[i] * b[i];
      odd += a[i + 1] * b[i + 1];
    }
    if (i < a.length) {
      even += a[i] * b[i];
    }
    return matrix.sum(even + odd);
  }
}
