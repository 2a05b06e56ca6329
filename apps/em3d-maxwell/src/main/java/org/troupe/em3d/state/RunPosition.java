package org.troupe.em3d.state;

import java.util.List;

/**
 * The state of a run apart from its fields.
 *
 * @param step E belongs to this step, H to the half step before
 * @param dt the time step (m)
 * @param samples the energies of earlier steps, in order
 * @param series the readings of earlier steps: for each monitor step, numbers, step, numbers ...
 */
public record RunPosition(int step, double dt, List<Sample> samples, List<double[]> series) {

  /** The number of steps between two sums of the energy. */
  public static final int ENERGY_EVERY = 10;

  /** Creates a position without readings. */
  public RunPosition(int step, double dt, List<Sample> samples) {
    this(step, dt, samples, List.of());
  }

  /**
   * Returns this position without the energies that an undisturbed run with this many steps would
   * not have.
   */
  public RunPosition asOfRun(int steps) {
    return new RunPosition(
        step,
        dt,
        samples.stream()
            .filter(each -> each.step() % ENERGY_EVERY == 0 || each.step() == steps - 1)
            .toList(),
        series);
  }

  /**
   * The energy of a step.
   *
   * @param energy the energy of the whole mesh, in normalised units
   */
  public record Sample(int step, double energy) {}

  /**
   * The time at which all sub-domains had started a step.
   *
   * @param millis milliseconds since 1970
   */
  public record Passed(int step, long millis) {}
}
