package org.troupe.em3d.physics;

/**
 * An isotropic medium.
 *
 * @param epsilon relative permittivity, positive
 * @param mu relative permeability, positive
 * @param conductivity S/m, 0 or more
 */
public record Medium(double epsilon, double mu, double conductivity) {

  /** Impedance of vacuum, ohm. */
  private static final double Z0 = 4e-7 * Math.PI * 299_792_458;

  /** Vacuum. */
  public static final Medium VACUUM = new Medium(1, 1);

  /** Creates a medium without conductivity. */
  public Medium(double epsilon, double mu) {
    this(epsilon, mu, 0);
  }

  /** Rejects values that are not finite and positive. */
  public Medium {
    if (!(conductivity >= 0 && conductivity < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "no medium has conductivity %s S/m; it must be 0 or more, and finite"
              .formatted(conductivity));
    }
    if (!(epsilon > 0
        && mu > 0
        && epsilon < Double.POSITIVE_INFINITY
        && mu < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "no medium has permittivity %s and permeability %s; both must be positive and finite"
              .formatted(epsilon, mu));
    }
  }

  /** Returns the rate at which conduction damps E, 1/m: {@code Z0 sigma / eps}. */
  public double decay() {
    return Z0 * conductivity / epsilon;
  }

  /** Returns the phase velocity, divided by c0. */
  public double speed() {
    return 1 / Math.sqrt(epsilon * mu);
  }

  /** Returns the impedance, divided by that of vacuum. */
  public double impedance() {
    return Math.sqrt(mu / epsilon);
  }
}
