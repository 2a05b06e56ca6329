package org.troupe.em3d.physics;

/** Three components. */
public record Vector3(double x, double y, double z) {

  /** Refuses what is not finite. */
  public Vector3 {
    if (!Double.isFinite(x + y + z)) {
      throw new IllegalArgumentException(
          "(%s, %s, %s) is no vector; give three finite numbers".formatted(x, y, z));
    }
  }

  /** The vector number k of an array. */
  public static Vector3 at(double[] values, int k) {
    return new Vector3(values[3 * k], values[3 * k + 1], values[3 * k + 2]);
  }

  public void put(double[] target, int k) {
    target[3 * k] = x;
    target[3 * k + 1] = y;
    target[3 * k + 2] = z;
  }

  /** Its length. */
  public double length() {
    return Math.sqrt(dot(this));
  }

  /** The scalar product. */
  public double dot(Vector3 other) {
    return x * other.x + y * other.y + z * other.z;
  }

  /** The vector so many times as long. */
  public Vector3 times(double factor) {
    return new Vector3(factor * x, factor * y, factor * z);
  }

  /** The sum. */
  public Vector3 plus(Vector3 other) {
    return new Vector3(x + other.x, y + other.y, z + other.z);
  }

  public Vector3 cross(Vector3 other) {
    return new Vector3(
        y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
  }

  /** As in messages. */
  @Override
  public String toString() {
    return "(" + x + ", " + y + ", " + z + ")";
  }
}
