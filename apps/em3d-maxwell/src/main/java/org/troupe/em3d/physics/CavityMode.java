package org.troupe.em3d.physics;

/**
 * A standing wave in the unit cube with conducting walls, filled with one medium.
 *
 * <p>With {@code k = pi (l, m, n)}, {@code omega = |k| / sqrt(eps mu)} and an amplitude (A, B, C)
 * at right angles to k,
 *
 * <pre>
 * E =  cos(omega t) ( A cx sy sz, B sx cy sz, C sx sy cz )
 * H = -sin(omega t) / (mu omega)
 *      ( (C ky - B kz) sx cy cz, (A kz - C kx) cx sy cz, (B kx - A ky) cx cy sz )
 * </pre>
 *
 * where cx = cos(kx x), sx = sin(kx x) and so on. The amplitude is (-1/l, 0, 1/n); if one of the
 * numbers is 0, it lies along that axis.
 *
 * <p>R. Harrington, Time-Harmonic Electromagnetic Fields, chapter 4.
 *
 * @param l half waves along x
 * @param m half waves along y
 * @param n half waves along z
 * @param medium the medium in the cube
 */
public record CavityMode(int l, int m, int n, Medium medium) {

  /** Rejects a mode whose fields are zero everywhere. */
  public CavityMode {
    if (l < 0 || m < 0 || n < 0 || Math.min(l, 1) + Math.min(m, 1) + Math.min(n, 1) < 2) {
      throw new IllegalArgumentException(
          "cavity mode %d,%d,%d does not exist; use numbers of 0 or more, at most one of them 0"
              .formatted(l, m, n));
    }
  }

  /** Returns a mode of the cube in vacuum. */
  public static CavityMode inVacuum(int l, int m, int n) {
    return new CavityMode(l, m, n, Medium.VACUUM);
  }

  /** Returns the angular frequency, 1/m. */
  public double omega() {
    double k = Math.PI * Math.sqrt((double) l * l + (double) m * m + (double) n * n);
    return k / Math.sqrt(medium.epsilon() * medium.mu());
  }

  /** Returns E at a time (m). */
  public VectorField electric(double time) {
    double cos = Math.cos(omega() * time);
    double[] amplitude = amplitude();
    double a = amplitude[0] * cos;
    double b = amplitude[1] * cos;
    double c = amplitude[2] * cos;
    return (x, y, z, value) -> {
      double cx = Math.cos(l * Math.PI * x);
      double sx = Math.sin(l * Math.PI * x);
      double cy = Math.cos(m * Math.PI * y);
      double sy = Math.sin(m * Math.PI * y);
      double cz = Math.cos(n * Math.PI * z);
      double sz = Math.sin(n * Math.PI * z);
      value[0] = a * cx * sy * sz;
      value[1] = b * sx * cy * sz;
      value[2] = c * sx * sy * cz;
    };
  }

  /** Returns H at a time (m). */
  public VectorField magnetic(double time) {
    double scale = -Math.PI * Math.sin(omega() * time) / (medium.mu() * omega());
    double[] amplitude = amplitude();
    double a = (amplitude[2] * m - amplitude[1] * n) * scale;
    double b = (amplitude[0] * n - amplitude[2] * l) * scale;
    double c = (amplitude[1] * l - amplitude[0] * m) * scale;
    return (x, y, z, value) -> {
      double cx = Math.cos(l * Math.PI * x);
      double sx = Math.sin(l * Math.PI * x);
      double cy = Math.cos(m * Math.PI * y);
      double sy = Math.sin(m * Math.PI * y);
      double cz = Math.cos(n * Math.PI * z);
      double sz = Math.sin(n * Math.PI * z);
      value[0] = a * sx * cy * cz;
      value[1] = b * cx * sy * cz;
      value[2] = c * cx * cy * sz;
    };
  }

  private double[] amplitude() {
    if (l == 0) {
      return new double[] {1, 0, 0};
    }
    if (m == 0) {
      return new double[] {0, 1, 0};
    }
    if (n == 0) {
      return new double[] {0, 0, 1};
    }
    return new double[] {-1.0 / l, 0, 1.0 / n};
  }
}
