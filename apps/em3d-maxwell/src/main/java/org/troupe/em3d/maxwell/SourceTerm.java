package org.troupe.em3d.maxwell;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * The contribution of one source to one field: {@code dt s(t - delay) vector} in each of its cells.
 *
 * @param signal s, a function of time
 * @param cells ascending; a cell with two walls is listed twice
 * @param delays of the cells (m)
 * @param vectors {@code [3 * k + axis]}
 */
record SourceTerm(DoubleUnaryOperator signal, int[] cells, double[] delays, double[] vectors) {

  void add(int from, int to, double time, double dt, double[] field) {
    for (int k = first(from); k < cells.length && cells[k] < to; k++) {
      double strength = dt * signal.applyAsDouble(time - delays[k]);
      int t = 3 * cells[k];
      field[t] += strength * vectors[3 * k];
      field[t + 1] += strength * vectors[3 * k + 1];
      field[t + 2] += strength * vectors[3 * k + 2];
    }
  }

  /** Returns the index of the first entry for this cell or a later one. */
  private int first(int from) {
    int found = Arrays.binarySearch(cells, from);
    if (found < 0) {
      return -1 - found;
    }
    while (found > 0 && cells[found - 1] == from) {
      found--;
    }
    return found;
  }
}
