package org.troupe.em3d.physics;

/** The two fields of Maxwell's equations. E is known at full steps, H half a step between. */
public enum FieldKind {
  /** Electric field, V/m. */
  E,
  /** Magnetic field times the impedance of vacuum, V/m. */
  H
}
