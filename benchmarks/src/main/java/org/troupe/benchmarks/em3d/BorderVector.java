package org.troupe.benchmarks.em3d;

import java.util.LinkedList;

/** One vector of a border as an object, which {@link ObjectBorderSolver} sends. */
record BorderVector(double x, double y, double z) {

  static LinkedList<BorderVector> list(double[] values) {
    var list = new LinkedList<BorderVector>();
    for (var k = 0; k < values.length; k += 3) {
      list.add(new BorderVector(values[k], values[k + 1], values[k + 2]));
    }
    return list;
  }

  static double[] array(LinkedList<BorderVector> list) {
    var values = new double[3 * list.size()];
    var at = 0;
    for (var vector : list) {
      values[at++] = vector.x;
      values[at++] = vector.y;
      values[at++] = vector.z;
    }
    return values;
  }
}
