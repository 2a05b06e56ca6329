package org.troupe.em3d.views;

import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Physics;

/**
 * The instant of the fields of a step: E belongs to the step, H to the half step before.
 *
 * @param dt the time step (m)
 */
public record FieldInstant(int step, double dt) implements Comparable<FieldInstant> {

  /** Returns the time of a field in steps. */
  double stepOf(FieldKind field) {
    return field == FieldKind.E ? step : step - 0.5;
  }

  /** Returns the time of a field in seconds. */
  double secondsOf(FieldKind field) {
    return stepOf(field) * dt / Physics.SPEED_OF_LIGHT;
  }

  /** Returns the factor from a normalised field to volts or amperes per metre. */
  static double unitOf(FieldKind field) {
    return field == FieldKind.E ? 1 : 1 / Physics.VACUUM_IMPEDANCE;
  }

  /** Compares by step. */
  @Override
  public int compareTo(FieldInstant other) {
    return Integer.compare(step, other.step);
  }
}
