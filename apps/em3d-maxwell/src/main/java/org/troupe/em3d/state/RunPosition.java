package org.troupe.em3d.state;

import java.util.List;

/**
 * How far a run has come, but for its fields.
 *
 * @param step E belongs to this step, H to the half step before
 * @param dt the time step (m)
 * @param samples the energies of the steps before, in order
 * @param series what was measured in the steps before: for each gauge step, numbers, step, numbers
 *     ...
 */
public record RunPosition(int step, double dt, List<Sample> samples, List<double[]> series) {

  /** How often, in steps, the energy is summed. */
  public static final int ENERGY_EVERY = 10;

  /** Without anything measured but energies. */
  public RunPosition(int step, double dt, List<Sample> samples) {
    this(step, dt, samples, List.of());
  }

  /** The same, without energies that a run of so many steps, begun anew, would not have. */
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
   * @param energy of the whole mesh, in normalised units
   */
  public record Sample(int step, double energy) {}

  /**
   * A step that all sub-domains had begun.
   *
   * @param millis the time of day, since 1970
   */
  public record Passed(int step, long millis) {}
}
