package org.troupe.em3d.physics;

/**
 * Something that is measured while the fields advance. Plain values, which may travel; arrays are
 * not copied and must not be changed.
 *
 * <p>All belong to the time of E; H is taken as the mean of half a step before and half a step
 * after.
 */
public sealed interface FieldMonitor {

  /** What the user calls it. */
  String name();

  /** How many steps lie between two readings; the first is that of step 0. */
  int every();

  /** How many numbers are summed over the sub-domains for one reading. */
  int channels();

  /** What a reading says, of the sums of all sub-domains. */
  double[] reading(double[] sums);

  /**
   * Both fields at a point of one cell, or their mean over several, weighted with their volumes:
   * three components of E, three of H (V/m).
   *
   * @param point metres
   * @param cells their numbers in the whole mesh, ascending; if it is one, the point is in it
   */
  record Probe(String name, int every, Vector3 point, int[] cells) implements FieldMonitor {

    @Override
    public int channels() {
      return 7;
    }

    @Override
    public double[] reading(double[] sums) {
      double[] mean = new double[6];
      for (int k = 0; k < 6; k++) {
        mean[k] = sums[k] / sums[6];
      }
      return mean;
    }
  }

  /**
   * The power (normalised: over Z0 it is in watts) that leaves a set of cells: for each face with
   * the area vector N between an inner cell i and an outer one k, {@code (E_i x H_k + E_k x H_i)/2
   * . N}, which is what the scheme moves.
   *
   * @param faces {@code 4 * cell + face} of all inner and all outer cells at its surface, ascending
   * @param inner says of each whether the cell is an inner one
   */
  record Flux(String name, int every, int[] faces, boolean[] inner) implements FieldMonitor {

    @Override
    public int channels() {
      return 1;
    }

    @Override
    public double[] reading(double[] sums) {
      return sums;
    }
  }

  /**
   * The power that leaves through the outer faces in a physical surface. That which a plane wave
   * brings in counts against it.
   */
  record Outflow(String name, int every, String surface) implements FieldMonitor {

    @Override
    public int channels() {
      return 1;
    }

    @Override
    public double[] reading(double[] sums) {
      return sums;
    }
  }
}
