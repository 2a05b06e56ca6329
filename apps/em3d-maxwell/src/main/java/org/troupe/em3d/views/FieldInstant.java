package org.troupe.em3d.views;

import org.troupe.em3d.maxwell.FieldKind;

/**
 * What the fields of a step are fields of: E belongs to the step, H to the half step before.
 *
 * @param dt the time step (m)
 */
public record FieldInstant(int step, double dt) implements Comparable<FieldInstant> {

  /** In metres per second; exact by the definition of the metre. */
  public static final double SPEED_OF_LIGHT = 299_792_458;

  /** The impedance of the vacuum in ohms, with mu0 = 4 pi 1e-7 H/m. */
  private static final double IMPEDANCE = 4e-7 * Math.PI * SPEED_OF_LIGHT;

  /** When a field was so, in steps. */
  public double stepOf(FieldKind field) {
    return field == FieldKind.E ? step : step - 0.5;
  }

  /** When a field was so, in seconds. */
  public double secondsOf(FieldKind field) {
    return stepOf(field) * dt / SPEED_OF_LIGHT;
  }

  /** What makes volts or amperes per metre of a normalised field. */
  public static double unitOf(FieldKind field) {
    return field == FieldKind.E ? 1 : 1 / IMPEDANCE;
  }

  /** In order of the steps. */
  @Override
  public int compareTo(FieldInstant other) {
    return Integer.compare(step, other.step);
  }
}
