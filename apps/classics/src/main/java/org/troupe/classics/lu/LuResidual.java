package org.troupe.classics.lu;

import java.util.Arrays;

/** The residual of a factorisation, tested with one vector. */
final class LuResidual {

  /** LINPACK's limit for rounding errors. */
  static final double LIMIT = 16;

  private LuResidual() {}

  /**
   * Returns the largest element of {@code L (U x) - A x}, where {@code x} consists of 1 and -1,
   * divided by the number of rows and by the spacing of doubles at the largest element of {@code
   * A}.
   */
  static double of(BlockLayout layout, double[][][][] factors) {
    var size = layout.size();
    var x = new double[size];
    Arrays.setAll(x, i -> (i * 0x9E3779B97F4A7C15L >>> 63) * 2.0 - 1);
    var expected = times(layout, layout.blocks(0), x, Part.ALL);
    var found = times(layout, factors, times(layout, factors, x, Part.UPPER), Part.LOWER);
    var largest = 0.0;
    for (var i = 0; i < size; i++) {
      largest = Math.max(largest, Math.abs(found[i] - expected[i]));
    }
    return largest / size / Math.ulp((double) size);
  }

  private enum Part {
    ALL,
    UPPER,
    LOWER
  }

  private static double[] times(BlockLayout layout, double[][][][] blocks, double[] x, Part part) {
    var product = new double[x.length];
    for (var i = 0; i < x.length; i++) {
      var to = part == Part.LOWER ? i : x.length;
      var sum = part == Part.LOWER ? x[i] : 0; // L has ones on its diagonal
      for (var j = part == Part.UPPER ? i : 0; j < to; j++) {
        sum += layout.at(blocks, i, j) * x[j];
      }
      product[i] = sum;
    }
    return product;
  }
}
