package org.troupe.classics.barneshut;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToLongFunction;

/**
 * The smallest cube around all bodies, with a space-filling curve that visits each cell
 * contiguously.
 */
record BoundingCube(double x, double y, double z, double edge) {

  /** The number of levels of cells below the cube. */
  static final int LEVELS = 21;

  private static final int CELLS = 1 << LEVELS; // along an edge
  private static final long EVERY_THIRD = 0x1249249249249249L;

  private static final Comparator<CelestialBody> ALONG_THE_CURVE =
      Comparator.<CelestialBody>comparingLong(each -> each.key).thenComparingInt(each -> each.id);

  /**
   * Returns the smallest coordinates and the negated largest ones, so that a minimum over several
   * bounds combines both.
   */
  static double[] bounds(CelestialBody[] bodies) {
    var bounds = new double[6];
    Arrays.fill(bounds, Double.POSITIVE_INFINITY);
    for (var each : bodies) {
      bounds[0] = Math.min(bounds[0], each.x);
      bounds[1] = Math.min(bounds[1], each.y);
      bounds[2] = Math.min(bounds[2], each.z);
      bounds[3] = Math.min(bounds[3], -each.x);
      bounds[4] = Math.min(bounds[4], -each.y);
      bounds[5] = Math.min(bounds[5], -each.z);
    }
    return bounds;
  }

  static BoundingCube around(double[] bounds) {
    var edge =
        Math.max(Math.max(-bounds[3] - bounds[0], -bounds[4] - bounds[1]), -bounds[5] - bounds[2]);
    return new BoundingCube(bounds[0], bounds[1], bounds[2], edge);
  }

  /**
   * Sorts along the curve of G. Morton (1966), which interleaves the bits of the coordinates: the
   * bodies of each octree cell are contiguous.
   */
  void sort(CelestialBody[] bodies) {
    for (var each : bodies) {
      each.key = key(each.x - x) << 2 | key(each.y - y) << 1 | key(each.z - z);
    }
    Arrays.sort(bodies, ALONG_THE_CURVE); // fast if they are nearly sorted
  }

  private long key(double distance) {
    var cell = (int) (distance / edge * CELLS);
    return Long.expand(Math.min(cell, CELLS - 1), EVERY_THIRD);
  }

  /** Returns the edge length of the cells of a level. */
  double edge(int level) {
    return Math.scalb(edge, -level);
  }

  /** Returns whether two keys are in the same cell of a level. */
  static boolean isSameCell(long key, long other, int level) {
    var rest = 3 * (LEVELS - level);
    return key >>> rest == other >>> rest;
  }

  /** Returns the level of the smallest cell that contains both keys. */
  static int levelOfSmallestCommonCell(long key, long other) {
    return (Long.numberOfLeadingZeros(key ^ other) - 1) / 3;
  }

  /**
   * Returns the end of the range of keys that are in the cell of the first key; keys are sorted
   * along the curve.
   */
  static int endOfCell(IntToLongFunction keys, int begin, int to, int level) {
    var end = begin + 1;
    while (end < to
        && level
            <= LEVELS // below the last level, bodies at practically the same position count one by
        // one
        && isSameCell(keys.applyAsLong(begin), keys.applyAsLong(end), level)) {
      end++;
    }
    return end;
  }
}
