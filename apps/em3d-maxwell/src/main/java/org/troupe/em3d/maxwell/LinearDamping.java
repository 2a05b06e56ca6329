package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.physics.Vector3;

/**
 * Damping of fields that are linear in each cell; see {@link FieldDamping} for constants.
 *
 * <p>{@code F_new = (I + K)^-1 (F* - K F_old)} with {@code K = dt/2 R} equals {@code G (F* + F_old)
 * - F_old} with {@code G = (I + K)^-1}. F has twelve components in a cell. In a conducting medium
 * without absorbing walls, G is a number. An absorbing wall couples the components, as its
 * integrals are tested with all four functions; G is then a matrix, stored for the cells with such
 * walls only.
 */
final class LinearDamping {

  private static final int N = 12;
  private static final int NO_WALL = -1;

  private final int[] cells; // ascending
  private final double[] decays; // of the media, 1/m
  private final int[] matrices; // the index of each cell's matrix in the arrays below, or NO_WALL
  private final double[] rates; // R of the walls: [144 * matrix + 12 * row + column]
  private final double[] gains; // G of the cells without walls
  private final double[] inverses; // G of the cells with walls
  private final double[] old;

  /**
   * @param cells ascending
   * @param decays the decay rate of each cell's medium, 1/m
   * @param walls R of the absorbing walls of each cell, 144 numbers; null for a cell without such
   *     walls
   */
  LinearDamping(int[] cells, double[] decays, double[][] walls) {
    this.cells = cells;
    this.decays = decays;
    matrices = new int[cells.length];
    int count = 0;
    for (int k = 0; k < cells.length; k++) {
      matrices[k] = walls[k] == null ? NO_WALL : N * N * count++;
    }
    rates = new double[N * N * count];
    for (int k = 0; k < cells.length; k++) {
      if (walls[k] != null) {
        System.arraycopy(walls[k], 0, rates, matrices[k], N * N);
      }
    }
    gains = new double[cells.length];
    inverses = new double[rates.length];
    old = new double[N * cells.length];
  }

  /**
   * Adds the contribution of an absorbing wall: {@code |w|/3 (I - n n^T) (1 + 5 delta)} divided by
   * {@code sqrt(eps mu)}, where delta is 1 from a vertex of the wall to itself and -1 to the
   * opposite vertex.
   *
   * @param matrix R of the cell's walls, to which the contribution is added
   * @param face the vertex opposite the wall
   * @param w the wall's area vector over twice the volume
   * @param speed {@code 1/sqrt(eps mu)}
   */
  static void addWall(double[] matrix, int face, Vector3 w, double speed) {
    double[] normal = {w.x() / w.length(), w.y() / w.length(), w.z() / w.length()};
    for (int to = 0; to < 4; to++) {
      for (int from = 0; from < 4; from++) {
        if (from == face) {
          continue;
        }
        int delta = to == from ? 1 : to == face ? -1 : 0;
        double rate = speed * w.length() / 3 * (1 + 5 * delta);
        for (int row = 0; row < 3; row++) {
          for (int column = 0; column < 3; column++) {
            double tangential = (row == column ? 1 : 0) - normal[row] * normal[column];
            matrix[N * (3 * to + row) + 3 * from + column] += rate * tangential;
          }
        }
      }
    }
  }

  void useStep(double dt) {
    for (int k = 0; k < cells.length; k++) {
      gains[k] = 1 / (1 + dt / 2 * decays[k]);
      if (matrices[k] != NO_WALL) {
        double[] matrix = new double[N * N];
        for (int m = 0; m < N * N; m++) {
          matrix[m] = dt / 2 * rates[matrices[k] + m];
        }
        for (int m = 0; m < N; m++) {
          matrix[(N + 1) * m] += 1 + dt / 2 * decays[k];
        }
        System.arraycopy(inverse(matrix), 0, inverses, matrices[k], N * N);
      }
    }
  }

  /**
   * Inverts I + K by Gaussian elimination. Pivoting is not needed: in the inner product of the
   * cell's mass matrix, I + K is symmetric and its eigenvalues are at least 1.
   */
  private static double[] inverse(double[] matrix) {
    double[] inverse = new double[N * N];
    for (int k = 0; k < N; k++) {
      inverse[(N + 1) * k] = 1;
    }
    for (int pivot = 0; pivot < N; pivot++) {
      double scale = 1 / matrix[(N + 1) * pivot];
      for (int column = 0; column < N; column++) {
        matrix[N * pivot + column] *= scale;
        inverse[N * pivot + column] *= scale;
      }
      for (int row = 0; row < N; row++) {
        double factor = matrix[N * row + pivot];
        if (row == pivot || factor == 0) {
          continue;
        }
        for (int column = 0; column < N; column++) {
          matrix[N * row + column] -= factor * matrix[N * pivot + column];
          inverse[N * row + column] -= factor * inverse[N * pivot + column];
        }
      }
    }
    return inverse;
  }

  /** Saves the old values of the cells from..to-1. */
  void saveOld(int from, int to, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      System.arraycopy(field, N * cells[k], old, N * k, N);
    }
  }

  /** Replaces F* by the new values, in the cells from..to-1. */
  void apply(int from, int to, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      int place = N * cells[k];
      for (int m = 0; m < N; m++) {
        field[place + m] += old[N * k + m];
      }
      for (int row = 0; row < N; row++) {
        old[N * k + row] = product(k, row, field, place) - old[N * k + row];
      }
      System.arraycopy(old, N * k, field, place, N); // the old values are not needed any more
    }
  }

  private int first(int from) {
    int found = Arrays.binarySearch(cells, from);
    return found < 0 ? -1 - found : found;
  }

  /** Returns the product of a row of G with a vector. */
  private double product(int k, int row, double[] vector, int place) {
    if (matrices[k] == NO_WALL) {
      return gains[k] * vector[place + row];
    }
    double product = 0;
    int at = matrices[k] + N * row;
    for (int column = 0; column < N; column++) {
      product += inverses[at + column] * vector[place + column];
    }
    return product;
  }
}
