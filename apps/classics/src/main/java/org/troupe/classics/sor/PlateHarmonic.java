package org.troupe.classics.sor;

/**
 * The amplitude of the first harmonic, one half-wave in both directions, in the temperatures of a
 * plate.
 *
 * <p>Sweeps act on each harmonic independently: the mean of a point's neighbours is the point's
 * value times the cosine of a step. So the amplitude after any number of sweeps is known without a
 * plate, and a plate with another amplitude was relaxed incorrectly.
 *
 * @see "D. Young, Iterative methods for solving partial difference equations of elliptic type,
 *     Transactions of the American Mathematical Society 76, 92-111, 1954"
 */
final class PlateHarmonic {

  /**
   * The relative tolerance for a sum of at most 2e9 products, whose points were rounded in each
   * sweep.
   */
  static final double ROUNDING = 1e-9;

  private PlateHarmonic() {}

  /** Returns the amplitude in a plate that is hot at one edge after a number of iterations. */
  static double expected(int points, int iterations) {
    var neighbours = Math.cos(Math.PI / (points - 1));
    var omega = 2 / (1 + Math.sqrt(1 - neighbours * neighbours));
    double[] heat = {fromTheEdge(points, 0), fromTheEdge(points, 1)};
    double[] sums = {0, 0}; // over the points of each colour
    for (var iteration = 0; iteration < iterations; iteration++) {
      for (var colour = 1; colour >= 0; colour--) {
        var mean = neighbours * sums[1 - colour] + heat[colour];
        sums[colour] += omega * (mean - sums[colour]);
      }
    }
    return sums[0] + sums[1];
  }

  /**
   * Returns the contribution of the hot edge to the means in the first row, for points of one
   * colour.
   */
  private static double fromTheEdge(int points, int colour) {
    var sum = 0.0;
    for (var column = 1; column < points - 1; column++) {
      if ((1 + column & 1) == colour) {
        sum += wave(points, 1, column) / 4;
      }
    }
    return sum;
  }

  /**
   * Returns the amplitude in the rows between the upper and the lower edge of a plate.
   *
   * @param rows the temperatures row by row, each including both edges
   */
  static double found(int points, double[] rows) {
    var sum = 0.0;
    for (var i = 0; i < rows.length; i++) {
      sum += wave(points, 1 + i / points, i % points) * rows[i];
    }
    return sum;
  }

  private static double wave(int points, int row, int column) {
    var step = Math.PI / (points - 1);
    return Math.sin(row * step) * Math.sin(column * step);
  }
}
