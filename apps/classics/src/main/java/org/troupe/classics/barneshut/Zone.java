package org.troupe.classics.barneshut;

/**
 * Where the bodies of a member are: between two places of the curve, and in a box.
 *
 * @param first key, or {@link #NOWHERE} if there are none
 * @param bounds as in {@link Cube#bounds}
 */
record Zone(long first, long last, double[] bounds) {

  /** Shares no cell with any key. */
  static final long NOWHERE = -1;

  static Zone of(Body[] bodies) {
    return bodies.length == 0
        ? new Zone(NOWHERE, NOWHERE, Cube.bounds(bodies))
        : new Zone(bodies[0].key, bodies[bodies.length - 1].key, Cube.bounds(bodies));
  }

  boolean isEmpty() {
    return first == NOWHERE;
  }

  /** Returns the square of a length that no body here is nearer to a point than. */
  double leastSquare(double x, double y, double z) {
    var dx = outside(x, bounds[0], -bounds[3]);
    var dy = outside(y, bounds[1], -bounds[4]);
    var dz = outside(z, bounds[2], -bounds[5]);
    return dx * dx + dy * dy + dz * dz; // in the order of Tree.attract, and so never rounded above
  }

  private static double outside(double value, double least, double greatest) {
    return value < least ? least - value : value > greatest ? value - greatest : 0;
  }
}
