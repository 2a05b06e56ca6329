package org.troupe.em3d.physics;

/**
 * A part of space between two corners (metres).
 *
 * @param low has the smaller coordinates
 * @param high has the larger ones
 */
public record AxisAlignedBox(Vector3 low, Vector3 high) {

  /** Refuses a box without volume. */
  public AxisAlignedBox {
    if (!(low.x() < high.x() && low.y() < high.y() && low.z() < high.z())) {
      throw new IllegalArgumentException(
          "a box from %s to %s has no volume; give its lowest corner first".formatted(low, high));
    }
  }

  /** Says whether a point lies in it, or on its lower sides. */
  public boolean contains(double x, double y, double z) {
    return x >= low.x()
        && x < high.x()
        && y >= low.y()
        && y < high.y()
        && z >= low.z()
        && z < high.z();
  }
}
