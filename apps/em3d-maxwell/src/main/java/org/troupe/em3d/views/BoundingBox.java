package org.troupe.em3d.views;

import org.troupe.em3d.mesh.CellCorners;

/** The box around some cells, along the axes, metres. Its arrays are not to be changed. */
public record BoundingBox(double[] low, double[] high) {

  /** The box around these cells. */
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

  /** The box around both. */
  public BoundingBox and(BoundingBox other) {
    double[] bothLow = new double[3];
    double[] bothHigh = new double[3];
    for (int axis = 0; axis < 3; axis++) {
      bothLow[axis] = Math.min(low[axis], other.low[axis]);
      bothHigh[axis] = Math.max(high[axis], other.high[axis]);
    }
    return new BoundingBox(bothLow, bothHigh);
  }

  /** How long it is along an axis. */
  public double length(int axis) {
    return high[axis] - low[axis];
  }
}
