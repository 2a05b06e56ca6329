package org.troupe.em3d;

import org.troupe.em3d.maxwell.CavityMode;

/** What the fields are in the beginning. */
sealed interface Start {

  /**
   * A standing wave of the unit cube, whose fields are known at all times.
   *
   * @param l half waves along x
   * @param m half waves along y
   * @param n half waves along z
   */
  record Cavity(int l, int m, int n) implements Start {

    CavityMode mode() {
      return CavityMode.inVacuum(l, m, n);
    }
  }

  /** The electric field of the lowest mode of the unit sphere, at rest. */
  record AtRest() implements Start {}
}
