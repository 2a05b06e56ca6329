package org.troupe.em3d.maxwell;

import org.troupe.em3d.physics.VectorField;

/**
 * A quadrature rule on tetrahedra with 14 points, exact for polynomials up to degree five.
 *
 * <p>N. Walkington, Quadrature on simplices of arbitrary dimension, Carnegie Mellon, 2000.
 */
final class Quadrature {

  private static final double[] NEAR_VERTEX = {0.092735250310891226402, 0.073493043116361949544};
  private static final double[] NEAR_FACE = {0.31088591926330060980, 0.11268792571801585080};
  private static final double[] NEAR_EDGE = {0.045503704125649649492, 0.042546020777081466438};

  /** The number of points. */
  static final int POINTS = 14;

  /** Barycentric coordinates: {@code [4 * point + vertex]}. */
  private static final double[] COORDINATES = new double[4 * POINTS];

  /** The weights, which add up to 1. */
  private static final double[] WEIGHTS = new double[POINTS];

  static {
    int point = 0;
    for (double[] orbit : new double[][] {NEAR_VERTEX, NEAR_FACE}) {
      for (int vertex = 0; vertex < 4; vertex++) {
        for (int k = 0; k < 4; k++) {
          COORDINATES[4 * point + k] = k == vertex ? 1 - 3 * orbit[0] : orbit[0];
        }
        WEIGHTS[point++] = orbit[1];
      }
    }
    for (int a = 0; a < 4; a++) {
      for (int b = a + 1; b < 4; b++) {
        for (int k = 0; k < 4; k++) {
          COORDINATES[4 * point + k] = k == a || k == b ? NEAR_EDGE[0] : 0.5 - NEAR_EDGE[0];
        }
        WEIGHTS[point++] = NEAR_EDGE[1];
      }
    }
  }

  private Quadrature() {}

  /** Returns one of the four barycentric coordinates of a point. */
  static double coordinate(int point, int vertex) {
    return COORDINATES[4 * point + vertex];
  }

  /** Returns the weight of a point, as a fraction of the volume. */
  static double weight(int point) {
    return WEIGHTS[point];
  }

  /** A scalar function of space (metres). */
  @FunctionalInterface
  interface ScalarField {
    double at(double x, double y, double z);
  }

  /**
   * Returns the mean of a function over a cell.
   *
   * @param vertices of the cell: {@code [3 * vertex + axis]}, metres
   */
  static double mean(ScalarField field, double[] vertices) {
    double[] x = new double[3];
    double sum = 0;
    for (int point = 0; point < POINTS; point++) {
      interpolate(point, vertices, 0, x);
      sum += WEIGHTS[point] * field.at(x[0], x[1], x[2]);
    }
    return sum;
  }

  /**
   * Stores the L2 projection of a field on the linear functions of a cell, computed with these
   * points, into {@code target}: its vectors at the four vertices.
   *
   * @param vertices of the cell: {@code [3 * vertex + axis]}, metres
   * @param at the index of the first vector in {@code target}
   */
  static void project(VectorField field, double[] vertices, double[] target, int at) {
    double[] tested =
        new double[12]; // integrals with the four test functions, divided by the volume
    double[] total = new double[3];
    double[] x = new double[3];
    double[] value = new double[3];
    for (int point = 0; point < POINTS; point++) {
      interpolate(point, vertices, 0, x);
      field.at(x[0], x[1], x[2], value);
      for (int k = 0; k < 12; k++) {
        double share = WEIGHTS[point] * COORDINATES[4 * point + k / 3];
        tested[k] += share * value[k % 3];
        total[k % 3] += share * value[k % 3];
      }
    }
    for (int k = 0; k < 12; k++) { // the inverse of the mass matrix (1 + 1 1^T) V/20
      target[at + k] = 20 * (tested[k] - total[k % 3] / 5);
    }
  }

  /**
   * Stores the value of a linear function at a point into {@code value}.
   *
   * @param vectors the values at the four vertices, one after the other, from index {@code at} on
   */
  static void interpolate(int point, double[] vectors, int at, double[] value) {
    for (int axis = 0; axis < 3; axis++) {
      double sum = 0;
      for (int vertex = 0; vertex < 4; vertex++) {
        sum += COORDINATES[4 * point + vertex] * vectors[at + 3 * vertex + axis];
      }
      value[axis] = sum;
    }
  }
}
