package org.troupe.em3d.kernel;

import java.lang.management.ManagementFactory;
import org.troupe.em3d.mesh.CurlWeights;

/** The inner loop of the solver: adds the discrete curl of one field to the other. */
public sealed interface CurlKernel permits ScalarCurl, VectorCurl, WarmingCurl {

  /*
   * For a cell with neighbours a, b, c, d and outward area vectors N the flux is the sum over faces
   * of N x (F_cell + F_neighbour)/2. The N add up to zero, so the cell's own F drops out, and the
   * fourth N need not be stored: what remains is the sum over a, b, c of (N/2) x (F - F_d).
   *
   * The weights are N/2 over the volume for the first three faces. The order of the terms is that
   * of the cell's own vertices, so a cell gets the same bits in whichever sub-domain it lies and
   * whichever implementation computes it; SequentialSolver adds in the same order. No product is
   * fused with a sum.
   *
   * Places are 3 * cell, computed once at set-up. Walls and borders are ghosts behind the cells, so
   * the loops have no branch.
   */

  /**
   * Energy terms are added plainly in blocks of this many, and the blocks with compensation: see
   * {@link #addWithEnergy}.
   */
  int BLOCK = 64;

  /** The fastest that this JVM has; at first it may still be getting there. */
  static CurlKernel fastest() {
    return Fastest.CURL;
  }

  /** Finds it once. */
  final class Fastest {

    private static final int LANES = 4; // a vector in one register

    static final CurlKernel CURL = find();

    private Fastest() {}

    private static CurlKernel find() {
      if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
        return new ScalarCurl("the JVM was started without --add-modules=jdk.incubator.vector");
      }
      if (VectorCurl.widestLanes() < LANES) {
        return new ScalarCurl("the processor has no vectors of 256 bits");
      }
      if (!compilesVectors()) {
        return new ScalarCurl("the JVM's options leave its second compiler out");
      }
      return new WarmingCurl(
          new ScalarCurl("the JVM was still compiling the vectors"), new VectorCurl());
    }

    /** Only the second compiler does; without it vectors stay objects. */
    private static boolean compilesVectors() {
      return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .noneMatch(option -> option.matches("-XX:TieredStopAtLevel=[0-3]|-Xint"));
    }
  }

  /** What it computes with, for people; and why, if not with vectors. */
  String description();

  /** {@code target += factors * curl source} for the cells from..to-1. */
  void add(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] source,
      double[] target);

  /**
   * The same for the H update, {@code h += factors * curl e}, and adds to {@code energy} half of
   * {@code V (eps |E|^2 + mu H_old . H_new)} of these cells.
   *
   * <p>64 plain additions lose a few units in the last place of a block; blocks lose independently
   * of each other, and their compensated sum loses nothing more. Compensating every term would make
   * each wait for the one before. Axes are added up apart, and together at the end of a block.
   */
  void addWithEnergy(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] e,
      double[] h,
      double[] volumes,
      CellValues epsilon,
      CellValues mu,
      CompensatedSum energy);
}
