package org.troupe.em3d.problem;

import org.troupe.em3d.physics.CavityMode;

/** The initial fields of a run. */
public sealed interface InitialFields {

  /** A mode of the unit cube, whose fields are known at all times. */
  record Cavity(CavityMode mode) implements InitialFields {

    /**
     * Creates a mode in vacuum.
     *
     * @param l half waves along x
     * @param m half waves along y
     * @param n half waves along z
     */
    Cavity(int l, int m, int n) {
      this(CavityMode.inVacuum(l, m, n));
    }
  }

  /** The electric field of a mode of the unit cube, at rest, in a cavity with other modes. */
  record CavityAtRest(CavityMode mode) implements InitialFields {}

  /** The electric field of the lowest mode of the unit sphere, at rest. */
  record AtRest() implements InitialFields {}

  /** No fields. */
  record Zero() implements InitialFields {}

  /**
   * The fields of a saved state of an earlier run on this mesh.
   *
   * @param folder the folder of the state
   */
  record Kept(String folder) implements InitialFields {}
}
