package org.troupe.em3d.views;

import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Physics;

/**
 * What the fields of a step are fields of: E belongs to the step, H to the half step before.
 *
 * @param dt the time step (m)
 */
public record FieldInstant(int step, double dt) implements Comparable<FieldInstant> {

  /** When a field was so, in steps. */
  public double stepOf(FieldKind field) {
    return field == FieldKind.E ? step : step - 0.5;
  }

  /** When a field was so, in seconds. */
  public double secondsOf(FieldKind field) {
    return stepOf(field) * dt / Physics.SPEED_OF_LIGHT;
  }

  /** What makes volts or amperes per metre of a normalised field. */
  public static double unitOf(FieldKind field) {
    return field == FieldKind.E ? 1 : 1 / Physics.VACUUM_IMPEDANCE;
  }

  /** In order of the steps. */
  @Override
  public int compareTo(FieldInstant other) {
    return Integer.compare(step, other.step);
  }
}
