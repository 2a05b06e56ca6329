package org.troupe.em3d.problem;

import org.troupe.em3d.physics.CavityMode;

/** What the fields are in the beginning. */
public sealed interface InitialFields {

  /** A standing wave of the unit cube, whose fields are known at all times. */
  record Cavity(CavityMode mode) implements InitialFields {

    /**
     * The same in vacuum.
     *
     * @param l half waves along x
     * @param m half waves along y
     * @param n half waves along z
     */
    Cavity(int l, int m, int n) {
      this(CavityMode.inVacuum(l, m, n));
    }
  }

  /** The electric field of such a wave at rest, in something that has other standing waves. */
  record CavityAtRest(CavityMode mode) implements InitialFields {}

  /** The electric field of the lowest mode of the unit sphere, at rest. */
  record AtRest() implements InitialFields {}

  /** No fields. */
  record Zero() implements InitialFields {}

  /**
   * The fields of a state that an earlier run on this mesh has left.
   *
   * @param folder where it is
   */
  record Kept(String folder) implements InitialFields {}
}
