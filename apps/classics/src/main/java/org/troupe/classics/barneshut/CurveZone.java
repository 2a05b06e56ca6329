package org.troupe.classics.barneshut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The region of a member's bodies: a range of keys along the curve, and a tree of bounding boxes,
 * since a single box would contain much space far from every body.
 *
 * @param first the first key, or {@link #NOWHERE} if there are no bodies
 * @param last the last key, or {@link #NOWHERE}
 * @param boxes bounds as of {@link BoundingCube#bounds}; each box precedes the boxes inside it
 * @param next for each box, the index after all boxes inside it
 */
record CurveZone(long first, long last, List<double[]> boxes, int[] next) {

  /** A value that shares no cell with any key. */
  static final long NOWHERE = -1;

  private static final int LEAF_BODIES = 64; // bodies at most in an undivided box

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
    if (to - from > LEAF_BODIES) {
      var level = BoundingCube.levelOfSmallestCommonCell(bodies[from].key, bodies[to - 1].key) + 1;
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

  /** Returns whether the squared distance of each body from a point exceeds a value. */
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

  /**
   * Returns the smallest squared distance of a point from a box. The order of operations is that of
   * {@link Octree#attract}, so rounding never makes the result larger than a distance computed
   * there.
   */
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
