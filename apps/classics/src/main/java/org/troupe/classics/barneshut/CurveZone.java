package org.troupe.classics.barneshut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the bodies of a member are: between two places of the curve, and in boxes, of which one
 * around all would have much that is far from every body.
 *
 * @param first key, or {@link #NOWHERE} if there are none
 * @param boxes as in {@link BoundingCube#bounds}; each before those inside it
 * @param next the box behind all of those that are inside
 */
record CurveZone(long first, long last, List<double[]> boxes, int[] next) {

  /** Shares no cell with any key. */
  static final long NOWHERE = -1;

  private static final int FEW = 64; // bodies need no smaller boxes

  static CurveZone of(CelestialBody[] bodies) {
    if (bodies.length == 0) {
      return new CurveZone(NOWHERE, NOWHERE, List.of(), new int[0]);
    }
    List<double[]> boxes = new ArrayList<>();
    List<Integer> next = new ArrayList<>();
    box(bodies, 0, bodies.length, boxes, next);
    return new CurveZone(
        bodies[0].key,
        bodies[bodies.length - 1].key,
        boxes,
        next.stream().mapToInt(Integer::intValue).toArray());
  }

  private static void box(
      CelestialBody[] bodies, int from, int to, List<double[]> boxes, List<Integer> next) {
    var box = boxes.size();
    next.add(box);
    boxes.add(BoundingCube.bounds(Arrays.copyOfRange(bodies, from, to)));
    if (to - from > FEW) {
      var level = BoundingCube.smallestWithBoth(bodies[from].key, bodies[to - 1].key) + 1;
      for (var begin = from; begin < to; ) {
        var end = BoundingCube.endOfCell(i -> bodies[i].key, begin, to, level);
        box(bodies, begin, end, boxes, next);
        begin = end;
      }
    }
    next.set(box, boxes.size());
  }

  boolean isEmpty() {
    return first == NOWHERE;
  }

  /** Says whether all bodies here are farther from a point than the root of a square. */
  boolean isFarther(double x, double y, double z, double square) {
    for (var box = 0; box < next.length; ) {
      if (leastSquare(boxes.get(box), x, y, z) > square) {
        box = next[box];
      } else if (next[box] == box + 1) {
        return false;
      } else {
        box++;
      }
    }
    return true;
  }

  /** In the order of {@link Octree#attract}, and so never rounded above what that finds. */
  private static double leastSquare(double[] box, double x, double y, double z) {
    var dx = outside(x, box[0], -box[3]);
    var dy = outside(y, box[1], -box[4]);
    var dz = outside(z, box[2], -box[5]);
    return dx * dx + dy * dy + dz * dz;
  }

  private static double outside(double value, double least, double greatest) {
    return value < least ? least - value : value > greatest ? value - greatest : 0;
  }
}
