package org.troupe.classics.barneshut;

import java.util.Arrays;
import java.util.List;

/**
 * Bodies, and cells that act as one body, in the order of the curve.
 *
 * @param keys the position of each along the curve; for a cell, that of any body in it
 * @param values x, y, z and mass of each, {@link #STRIDE} numbers
 */
record PointMasses(long[] keys, double[] values) {

  static final int STRIDE = 4;

  static PointMasses of(CelestialBody[] bodies) {
    var keys = new long[bodies.length];
    var values = new double[bodies.length * STRIDE];
    for (var i = 0; i < bodies.length; i++) {
      var body = bodies[i];
      keys[i] = body.key;
      values[i * STRIDE] = body.x;
      values[i * STRIDE + 1] = body.y;
      values[i * STRIDE + 2] = body.z;
      values[i * STRIDE + 3] = body.mass;
    }
    return new PointMasses(keys, values);
  }

  static PointMasses of(List<PointMasses> parts) {
    return new PointMasses(
        parts.stream().flatMapToLong(each -> Arrays.stream(each.keys)).toArray(),
        parts.stream().flatMapToDouble(each -> Arrays.stream(each.values)).toArray());
  }

  int size() {
    return keys.length;
  }
}
