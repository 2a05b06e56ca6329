package org.troupe.em3d.kernel;

import java.util.function.IntToDoubleFunction;

/**
 * A number for each cell; equal numbers are stored once, so that no memory bandwidth is spent on
 * them.
 */
public record CellValues(double[] values, int mask) {

  /** Returns one value for any number of cells. */
  public static CellValues same(double value) {
    return new CellValues(new double[] {value}, 0);
  }

  public static CellValues of(int cells, IntToDoubleFunction value) {
    double first = cells == 0 ? 0 : value.applyAsDouble(0);
    int same = 1;
    while (same < cells && value.applyAsDouble(same) == first) {
      same++;
    }
    if (same >= cells) {
      return same(first);
    }
    double[] values = new double[cells];
    for (int cell = 0; cell < cells; cell++) {
      values[cell] = value.applyAsDouble(cell);
    }
    return new CellValues(values, -1);
  }

  public double at(int cell) {
    return values[cell & mask];
  }
}
