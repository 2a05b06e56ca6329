package org.troupe.em3d.maxwell;

import java.util.Arrays;
import org.troupe.em3d.mesh.PartMesh;

/**
 * Records which neighbours' data have arrived, so that none is used twice or before it is there.
 */
final class BorderArrivals {

  private final PartMesh mesh;
  private final String what;
  private final boolean[] arrived;
  private int missing;

  /**
   * Expects data from every neighbour.
   *
   * @param what the data, in the plural, for messages
   */
  BorderArrivals(PartMesh mesh, String what) {
    this.mesh = mesh;
    this.what = what;
    missing = mesh.neighbourRanks().length;
    arrived = new boolean[missing];
  }

  /**
   * Records the data of a neighbour.
   *
   * @throws IllegalStateException if they have arrived already
   */
  void add(int neighbour) {
    if (arrived[neighbour]) {
      throw new IllegalStateException(
          "sub-domain %d got %s twice from sub-domain %d within one half step"
              .formatted(mesh.rank(), what, mesh.neighbourRanks()[neighbour]));
    }
    arrived[neighbour] = true;
    missing--;
  }

  /**
   * Checks that the data of all neighbours have arrived.
   *
   * @throws IllegalStateException if some are missing
   */
  void requireAll() {
    if (missing == 0) {
      return;
    }
    for (int k = 0; k < arrived.length; k++) {
      if (!arrived[k]) {
        throw new IllegalStateException(
            "sub-domain %d lacks %s from sub-domain %d (and %d others); accept them first"
                .formatted(mesh.rank(), what, mesh.neighbourRanks()[k], missing - 1));
      }
    }
  }

  /** Expects the next data from every neighbour. */
  void reset() {
    Arrays.fill(arrived, false);
    missing = arrived.length;
  }
}
