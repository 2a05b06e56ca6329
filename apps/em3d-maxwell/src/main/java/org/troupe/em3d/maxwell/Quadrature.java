package org.troupe.em3d.maxwell;

/**
 * Fourteen points of a tetrahedron and their weights, which integrate polynomials up to degree five
 * exactly.
 *
 * <p>N. Walkington, Quadrature on simplices of arbitrary dimension, Carnegie Mellon, 2000.
 */
final class Quadrature {

  private static final double[] NEAR_VERTEX = {0.092735250310891226402, 0.073493043116361949544};
  private static final double[] NEAR_FACE = {0.31088591926330060980, 0.11268792571801585080};
  private static final double[] NEAR_EDGE = {0.045503704125649649492, 0.042546020777081466438};

  /** How many points there are. */
  static final int POINTS = 14;

  /** Barycentric coordinates: {@code [4 * point + vertex]}. */
  private static final double[] COORDINATES = new double[4 * POINTS];

  /** They add up to 1. */
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

  /** One of the four barycentric coordinates of a point. */
  static double coordinate(int point, int vertex) {
    return COORDINATES[4 * point + vertex];
  }

  /** Its share of the volume. */
  static double weight(int point) {
    return WEIGHTS[point];
  }

  /**
   * Puts the value of a linear function at a point into {@code value}.
   *
   * @param vectors where it has those of the four vertices, one after the other
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
