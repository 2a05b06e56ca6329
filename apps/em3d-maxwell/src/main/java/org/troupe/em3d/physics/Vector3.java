package org.troupe.em3d.physics;

/** A vector in three dimensions. */
public record Vector3(double x, double y, double z) {

  /** Rejects components that are not finite. */
  public Vector3 {
    if (!Double.isFinite(x + y + z)) {
      throw new IllegalArgumentException(
          "(%s, %s, %s) is no vector; give three finite numbers".formatted(x, y, z));
    }
  }

  /** Returns the vector with index k of an array. */
  public static Vector3 at(double[] values, int k) {
    return new Vector3(values[3 * k], values[3 * k + 1], values[3 * k + 2]);
  }

  public void put(double[] target, int k) {
    target[3 * k] = x;
    target[3 * k + 1] = y;
    target[3 * k + 2] = z;
  }

  /** Returns the Euclidean length. */
  public double length() {
    return Math.sqrt(dot(this));
  }

  /** Returns the scalar product. */
  public double dot(Vector3 other) {
    return x * other.x + y * other.y + z * other.z;
  }

  /** Returns the vector multiplied by a factor. */
  public Vector3 times(double factor) {
    return new Vector3(factor * x, factor * y, factor * z);
  }

  /** Returns the sum. */
  public Vector3 plus(Vector3 other) {
    return new Vector3(x + other.x, y + other.y, z + other.z);
  }

  public Vector3 cross(Vector3 other) {
    return new Vector3(
        y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
  }

  /** Returns the form used in messages, such as {@code (1.0, 0.0, 0.5)}. */
  @Override
  public String toString() {
    return "(" + x + ", " + y + ", " + z + ")";
  }
}
