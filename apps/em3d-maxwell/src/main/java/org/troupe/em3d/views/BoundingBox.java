package org.troupe.em3d.views;

import org.troupe.em3d.mesh.CellCorners;

/** The axis-aligned bounding box of some cells, metres. The arrays must not be changed. */
public record BoundingBox(double[] low, double[] high) {

  /** Returns the bounding box of these cells. */
  public static BoundingBox around(CellCorners corners) {
    double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int vertex : corners.vertices()) {
      for (int axis = 0; axis < 3; axis++) {
        double at = corners.coordinates()[3 * vertex + axis];
        low[axis] = Math.min(low[axis], at);
        high[axis] = Math.max(high[axis], at);
      }
    }
    return new BoundingBox(low, high);
  }

  /** Returns the bounding box of both. */
  public BoundingBox and(BoundingBox other) {
    double[] bothLow = new double[3];
    double[] bothHigh = new double[3];
    for (int axis = 0; axis < 3; axis++) {
      bothLow[axis] = Math.min(low[axis], other.low[axis]);
      bothHigh[axis] = Math.max(high[axis], other.high[axis]);
    }
    return new BoundingBox(bothLow, bothHigh);
  }

  /** Returns the extent along an axis. */
  public double length(int axis) {
    return high[axis] - low[axis];
  }
}
