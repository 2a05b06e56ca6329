package org.troupe.em3d.physics;

/**
 * E of the lowest standing wave in a spherical conducting cavity of radius 1 m, TM with n = 1,
 * along z.
 *
 * <p>{@code E = curl(j1(k r) sin(theta) phi)}: {@code E_r = 2 cos(theta) j1/r}, {@code E_theta =
 * -sin(theta) (j1 + k r j1')/r}, where j1 is the spherical Bessel function.
 *
 * <p>R. Harrington, Time-Harmonic Electromagnetic Fields, chapter 6.
 */
public final class SphereMode {

  /** The angular frequency in vacuum, 1/m: the first root of {@code (x j1(x))' = 0}. */
  public static final double OMEGA = 2.743707269992269;

  private SphereMode() {}

  /** Returns E at time 0, when H is zero. */
  public static VectorField electric() {
    return SphereMode::electricAt;
  }

  private static void electricAt(double x, double y, double z, double[] value) {
    double r = Math.sqrt(x * x + y * y + z * z);
    double s = OMEGA * r;
    double radial; // j1/r
    double angular; // (s j1)'/r
    double mixed; // (2 radial - angular)/r^2
    if (s < 1e-2) {
      radial = OMEGA * (1.0 / 3 - s * s / 30);
      angular = OMEGA * (2.0 / 3 - 2 * s * s / 15);
      mixed = OMEGA * OMEGA * OMEGA / 15;
    } else {
      double j1 = Math.sin(s) / (s * s) - Math.cos(s) / s;
      radial = j1 / r;
      angular = (Math.sin(s) - j1) / r; // since (s j1)' = sin s - j1
      mixed = (2 * radial - angular) / (r * r);
    }
    // sin(theta) times the unit vector of theta is cos(theta) times that of r, minus that of z.
    value[0] = mixed * z * x;
    value[1] = mixed * z * y;
    value[2] = mixed * z * z + angular;
  }
}
