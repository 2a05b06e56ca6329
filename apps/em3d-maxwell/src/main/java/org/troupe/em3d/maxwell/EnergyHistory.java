package org.troupe.em3d.maxwell;

/**
 * The energy that the scheme conserves in the course of a run, {@code W = 1/2 sum V (eps |E^n|^2 +
 * mu H^{n-1/2} . H^{n+1/2})}, normalised (multiplied by eps0 it is in joules).
 *
 * <p>Between perfect conductors it is constant except for round-off.
 */
public final class EnergyHistory {

  private double first = Double.NaN;
  private double last = Double.NaN;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;

  /** Creates an empty history. */
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

  /** Returns the energy that was added first. */
  public double first() {
    return first;
  }

  /** Returns the energy that was added last. */
  public double last() {
    return last;
  }

  /** Returns the largest minus the smallest energy, divided by the first. */
  public double spread() {
    return (most - least) / first;
  }
}
