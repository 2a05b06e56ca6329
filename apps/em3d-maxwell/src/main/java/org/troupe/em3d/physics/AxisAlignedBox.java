package org.troupe.em3d.physics;

/**
 * A box between two corners (metres).
 *
 * @param low the corner with the smaller coordinates
 * @param high the opposite corner
 */
public record AxisAlignedBox(Vector3 low, Vector3 high) {

  /** Rejects a box without volume. */
  public AxisAlignedBox {
    if (!(low.x() < high.x() && low.y() < high.y() && low.z() < high.z())) {
      throw new IllegalArgumentException(
          "a box from %s to %s has no volume; give its lowest corner first".formatted(low, high));
    }
  }

  /** Returns whether a point lies inside the box or on its lower sides. */
  public boolean contains(double x, double y, double z) {
    return x >= low.x()
        && x < high.x()
        && y >= low.y()
        && y < high.y()
        && z >= low.z()
        && z < high.z();
  }
}
