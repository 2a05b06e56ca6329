package org.troupe.em3d.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import org.troupe.em3d.physics.Physics;

/** The dimension of a number in a problem file, with its units. */
enum PhysicalDimension {
  TIME("time", "s", 1, "ms", 1e-3, "us", 1e-6, "ns", 1e-9, "ps", 1e-12, "fs", 1e-15),
  LENGTH("length", "m", 1, "cm", 1e-2, "mm", 1e-3, "um", 1e-6, "nm", 1e-9, "km", 1e3),
  FREQUENCY("frequency", "Hz", 1, "kHz", 1e3, "MHz", 1e6, "GHz", 1e9, "THz", 1e12),
  CONDUCTIVITY("conductivity", "S/m", 1, "mS/m", 1e-3),
  FIELD("electric field", "V/m", 1, "kV/m", 1e3, "mV/m", 1e-3),
  MOMENT("dipole moment", "C m", 1, "A s m", 1),
  NONE("plain number"),
  FRACTION("part of a whole", "%", 1e-2);

  private final String meaning;
  private final Map<String, Double> units = new LinkedHashMap<>();

  PhysicalDimension(String meaning, Object... unitsAndFactors) {
    this.meaning = meaning;
    for (var k = 0; k < unitsAndFactors.length; k += 2) {
      units.put((String) unitsAndFactors[k], ((Number) unitsAndFactors[k + 1]).doubleValue());
    }
  }

  /** Returns the factors of the units by name, the SI unit first. */
  Map<String, Double> units() {
    return units;
  }

  /** Returns the name for messages. */
  String meaning() {
    return meaning;
  }

  /** Returns whether a number must have a unit. */
  boolean needsUnit() {
    return this != NONE && this != FRACTION;
  }

  /** Converts an angular frequency of the solver (1/m) to Hz. */
  static double hertz(double omega) {
    return omega * Physics.SPEED_OF_LIGHT / (2 * Math.PI);
  }

  /** Converts Hz to an angular frequency of the solver (1/m). */
  static double omega(double hertz) {
    return 2 * Math.PI * hertz / Physics.SPEED_OF_LIGHT;
  }
}
