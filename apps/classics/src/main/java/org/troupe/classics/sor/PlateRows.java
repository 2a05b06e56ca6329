package org.troupe.classics.sor;

import java.util.Arrays;

/**
 * Some rows of a square plate whose edges are kept at a temperature, with the sweep that all
 * versions share.
 *
 * <p>Points are coloured like a chess board: a red one has only black neighbours, so those of one
 * colour may be relaxed in any order, and all orders give the same bits.
 */
final class PlateRows {

  private final int columns;
  private final double[] values; // row by row
  private final double omega;

  /**
   * Creates rows of the initial plate: hot at the upper edge, cold everywhere else.
   *
   * @param size the points along one side of the whole plate, including the edges
   * @param first the first row
   */
  PlateRows(int size, int first, int rows) {
    columns = size;
    values = new double[rows * size];
    omega = 2 / (1 + Math.sin(Math.PI / (size - 1))); // the best for this problem: Young, 1954
    if (first == 0) {
      Arrays.fill(values, 0, size, 1);
    }
  }

  double[] values() {
    return values;
  }

  /** Returns the index of the first point of a row. */
  int row(int row) {
    return row * columns;
  }

  /**
   * Relaxes the points of one colour in some rows; the rows above and below must exist.
   *
   * @param parity the parity of the column of the first such point in the row {@code from}, counted
   *     from 1
   */
  void relax(int from, int to, int parity) {
    for (var row = from; row < to; row++) {
      relaxRow(row, 1 + (parity + row - from & 1));
    }
  }

  private void relaxRow(int row, int firstColumn) {
    var begin = row(row);
    var above = begin - columns;
    var below = begin + columns;
    for (var column = firstColumn; column < columns - 1; column += 2) {
      var here = begin + column;
      var mean =
          (values[above + column] + values[below + column] + values[here - 1] + values[here + 1])
              / 4;
      values[here] += omega * (mean - values[here]);
    }
  }
}
