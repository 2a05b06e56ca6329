package org.troupe.em3d.physics;

/** A field given by a formula. */
@FunctionalInterface
public interface VectorField {

  /** Puts the field's three components at a point (metres) into {@code value}. */
  void at(double x, double y, double z, double[] value);
}
