package org.troupe.em3d.physics;

import java.util.Arrays;
import java.util.Optional;

/** What happens at an outer face of the mesh. */
public enum BoundaryCondition {

  /** A perfect conductor: E has no part along the face. */
  PEC(-1),

  /** A perfect magnetic conductor, as a plane of symmetry is: H has no part along the face. */
  PMC(1),

  /**
   * Lets waves out, all of those that come at right angles, and of those at an angle a all but
   * {@code (1 - cos a)/(1 + cos a)}; and lets {@linkplain FieldSource.PlaneWave plane waves} in
   * (Silver-Mueller, first order).
   */
  ABSORBING(0);

  private final double mirror;

  BoundaryCondition(double mirror) {
    this.mirror = mirror;
  }

  /** E behind the face over E in front of it; H has the opposite sign. */
  public double mirror() {
    return mirror;
  }

  /** Returns the one that is called so, in letters of either case. */
  public static Optional<BoundaryCondition> of(String name) {
    return Arrays.stream(values()).filter(each -> each.name().equalsIgnoreCase(name)).findFirst();
  }
}
