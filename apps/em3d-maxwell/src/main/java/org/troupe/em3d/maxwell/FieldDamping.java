package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.kernel.CellValues;

/**
 * Damps a field in cells that lose energy: in a conducting medium and at absorbing walls.
 *
 * <p>In these cells {@code dF/dt = (curl) - R F} with a symmetric matrix R. The scheme takes F of
 * the last term as the mean of old and new values: {@code F_new = (I + K)^-1 (F* - K F_old)},
 * {@code K = dt/2 R}, where F* is the result of the curl and the sources without damping. The
 * energy never grows, for any time step.
 *
 * <p>A wall with outward unit vector n and area |N| of a cell with volume V contributes {@code
 * |N|/(2 V sqrt(eps mu)) (I - n n^T)} to R of both fields; a conducting medium contributes
 * sigma/eps to R of E.
 */
final class FieldDamping {

  /** Components xx, xy, xz, yy, yz, zz of a symmetric matrix. */
  private static final int COMPONENTS = 6;

  private final int[] cells; // ascending
  private final double[] rates; // R
  private final double[] halves; // K
  private final double[] inverses; // (I + K)^-1
  private final double[] old;

  /**
   * @param cells ascending
   * @param rates R of each: {@code [6 * k + component]}
   */
  FieldDamping(int[] cells, double[] rates) {
    this.cells = cells;
    this.rates = rates;
    halves = new double[rates.length];
    inverses = new double[rates.length];
    old = new double[3 * cells.length];
  }

  /**
   * Adds the contribution of a wall.
   *
   * @param wx x component of the wall's area vector over twice the volume; wy and wz alike
   * @param speed {@code 1/sqrt(eps mu)}
   */
  static void addWall(double[] rates, int at, double wx, double wy, double wz, double speed) {
    double area = Math.sqrt(wx * wx + wy * wy + wz * wz);
    rates[at] += speed * (area - wx * wx / area);
    rates[at + 1] -= speed * (wx * wy / area);
    rates[at + 2] -= speed * (wx * wz / area);
    rates[at + 3] += speed * (area - wy * wy / area);
    rates[at + 4] -= speed * (wy * wz / area);
    rates[at + 5] += speed * (area - wz * wz / area);
  }

  /** Adds an isotropic contribution. */
  static void addUniform(double[] rates, int at, double rate) {
    rates[at] += rate;
    rates[at + 3] += rate;
    rates[at + 5] += rate;
  }

  void useStep(double dt) {
    for (int k = 0; k < rates.length; k++) {
      halves[k] = dt / 2 * rates[k];
    }
    for (int at = 0; at < rates.length; at += COMPONENTS) {
      invert(at);
    }
  }

  /** Inverts I + K, which is positive definite and close to I, by cofactors. */
  private void invert(int at) {
    double a = 1 + halves[at];
    double b = halves[at + 1];
    double c = halves[at + 2];
    double d = 1 + halves[at + 3];
    double e = halves[at + 4];
    double f = 1 + halves[at + 5];
    double xx = d * f - e * e;
    double xy = c * e - b * f;
    double xz = b * e - c * d;
    double determinant = a * xx + b * xy + c * xz;
    inverses[at] = xx / determinant;
    inverses[at + 1] = xy / determinant;
    inverses[at + 2] = xz / determinant;
    inverses[at + 3] = (a * f - c * c) / determinant;
    inverses[at + 4] = (b * c - a * e) / determinant;
    inverses[at + 5] = (a * d - b * b) / determinant;
  }

  /** Saves the old values of the cells from..to-1. */
  void saveOld(int from, int to, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      System.arraycopy(field, 3 * cells[k], old, 3 * k, 3);
    }
  }

  /** Replaces F* by the new values, in the cells from..to-1. */
  void apply(int from, int to, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      int t = 3 * cells[k];
      double x = field[t] - product(halves, k, 0, 1, 2, old, 3 * k);
      double y = field[t + 1] - product(halves, k, 1, 3, 4, old, 3 * k);
      double z = field[t + 2] - product(halves, k, 2, 4, 5, old, 3 * k);
      int m = COMPONENTS * k;
      field[t] = inverses[m] * x + inverses[m + 1] * y + inverses[m + 2] * z;
      field[t + 1] = inverses[m + 1] * x + inverses[m + 3] * y + inverses[m + 4] * z;
      field[t + 2] = inverses[m + 2] * x + inverses[m + 4] * y + inverses[m + 5] * z;
    }
  }

  /** Returns the sum of {@code V mu F_old . F} over the cells from..to-1. */
  double overlap(int from, int to, double[] field, double[] volumes, CellValues mu) {
    double sum = 0;
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      int t = 3 * cells[k];
      sum +=
          volumes[cells[k]]
              * mu.at(cells[k])
              * (old[3 * k] * field[t]
                  + old[3 * k + 1] * field[t + 1]
                  + old[3 * k + 2] * field[t + 2]);
    }
    return sum;
  }

  private static double product(
      double[] matrices, int k, int x, int y, int z, double[] vectors, int at) {
    int m = COMPONENTS * k;
    return matrices[m + x] * vectors[at]
        + matrices[m + y] * vectors[at + 1]
        + matrices[m + z] * vectors[at + 2];
  }

  private int first(int from) {
    int found = Arrays.binarySearch(cells, from);
    return found < 0 ? -1 - found : found;
  }
}
