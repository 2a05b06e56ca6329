package org.troupe.em3d.physics;

import java.util.Arrays;
import java.util.Optional;

/** The boundary condition of an outer face of the mesh. */
public enum BoundaryCondition {

  /** A perfect electric conductor: the tangential E is zero. */
  PEC(-1),

  /** A perfect magnetic conductor, such as a plane of symmetry: the tangential H is zero. */
  PMC(1),

  /**
   * The first-order Silver-Mueller condition: absorbs waves at normal incidence completely and
   * reflects {@code (1 - cos a)/(1 + cos a)} of a wave at angle a. {@linkplain
   * FieldSource.PlaneWave Plane waves} enter through these faces.
   */
  ABSORBING(0);

  private final double mirror;

  BoundaryCondition(double mirror) {
    this.mirror = mirror;
  }

  /** The ratio of the mirrored E behind the face to E in front of it; H has the opposite sign. */
  public double mirror() {
    return mirror;
  }

  /** Returns the condition with this name, ignoring case. */
  public static Optional<BoundaryCondition> of(String name) {
    return Arrays.stream(values()).filter(each -> each.name().equalsIgnoreCase(name)).findFirst();
  }
}
