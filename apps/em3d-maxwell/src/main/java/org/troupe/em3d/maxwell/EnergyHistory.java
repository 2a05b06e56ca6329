package org.troupe.em3d.maxwell;

/**
 * Watches the energy that the scheme conserves, {@code W = 1/2 sum V (eps |E^n|^2 + mu H^{n-1/2} .
 * H^{n+1/2})}, normalised (times eps0 it is in joules).
 *
 * <p>Between perfect conductors it is constant but for round-off.
 */
public final class EnergyHistory {

  private double first = Double.NaN;
  private double last = Double.NaN;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;

  /** Begins with no energies. */
  public EnergyHistory() {}

  /**
   * Adds the energy of a step, summed over all sub-domains.
   *
   * @throws ArithmeticException if it is not finite: the computation has become unstable
   */
  public void add(long step, double energy) {
    if (!Double.isFinite(energy)) {
      throw new ArithmeticException(
          "the energy is %s at step %d, the fields have grown without bound; use a cfl of at most 1"
              .formatted(energy, step));
    }
    if (Double.isNaN(first)) {
      first = energy;
    }
    last = energy;
    least = Math.min(least, energy);
    most = Math.max(most, energy);
  }

  /** The first energy added. */
  public double first() {
    return first;
  }

  /** The energy added last. */
  public double last() {
    return last;
  }

  /** Largest minus smallest energy, divided by the first. */
  public double spread() {
    return (most - least) / first;
  }
}
