package org.troupe.em3d.physics;

/**
 * A quantity that is measured during a run. Monitors are plain values, which may travel; their
 * arrays are not copied and must not be changed.
 *
 * <p>All readings belong to the time of E; for H, they use the mean of the values half a step
 * before and after.
 */
public sealed interface FieldMonitor {

  /** The name that the user gave it. */
  String name();

  /** The number of steps between two readings; the first is at step 0. */
  int every();

  /** The number of sums over all sub-domains in one reading. */
  int channels();

  /** Returns a reading, computed from the sums over all sub-domains. */
  double[] reading(double[] sums);

  /**
   * Both fields at a point of one cell, or their mean over several, weighted with their volumes:
   * three components of E, three of H (V/m).
   *
   * @param point metres
   * @param cells global numbers, ascending; a single cell contains the point
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
   * . N}, the energy flux of the scheme.
   *
   * @param faces {@code 4 * cell + face} of all inner and outer cells at the surface, ascending
   * @param inner whether the cell of each face is an inner one
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
   * The power that leaves through the outer faces in a physical surface, minus the power that plane
   * waves bring in there.
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
