package org.troupe.classics.sor;

/**
 * How much of one half-wave in both directions is in the temperatures of a plate.
 *
 * <p>Sweeps treat each harmonic by itself: neighbours have that part of it that the cosine of a
 * step says, whatever else is on the plate. So after any number of sweeps its value is known
 * without a plate, and a plate that has another one was not relaxed as it should have been.
 *
 * @see "D. Young, Iterative methods for solving partial difference equations of elliptic type,
 *     Transactions of the American Mathematical Society 76, 92-111, 1954"
 */
final class PlateHarmonic {

  /** Of a sum of at most two thousand million products, whose points were rounded at each sweep. */
  static final double ROUNDING = 1e-9;

  private PlateHarmonic() {}

  /** Returns its value in a plate that is hot at one edge and was relaxed as often. */
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

  /** What the hot edge adds to the means in the first row, at points of one colour. */
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
   * Returns its value in what is between the upper and the lower edge of a plate.
   *
   * @param rows row by row, each from edge to edge
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
