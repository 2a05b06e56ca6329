package org.troupe.em3d.kernel;

import java.lang.management.ManagementFactory;
import org.troupe.em3d.mesh.CurlWeights;

/** The inner loop of the solver: adds the discrete curl of one field to the other. */
public sealed interface CurlKernel permits ScalarCurl, VectorCurl, WarmingCurl {

  /*
   * For a cell with neighbours a, b, c, d and outward area vectors N the flux is the sum over faces
   * of N x (F_cell + F_neighbour)/2. The N add up to zero, so the cell's own F drops out, and the
   * fourth N need not be stored: the sum over a, b, c of (N/2) x (F - F_d) remains.
   *
   * The weights are N/2 over the volume for the first three faces. The order of the terms is that
   * of the cell's own vertices, so a cell gets the same bits in whichever sub-domain it lies and
   * whichever implementation computes it; SequentialSolver adds in the same order. No product is
   * fused with a sum.
   *
   * Places are 3 * cell, computed once at set-up. Walls and borders are ghost cells, stored after the cells,
   * so the loops have no branch.
   */

  /**
   * Cells whose energies are added without compensation; the sums of blocks are added with it: see
   * {@link #addWithEnergy}.
   */
  int BLOCK = 64;

  /**
   * Returns the fastest kernel that this JVM supports. It starts with scalar code until the vector
   * code is compiled.
   */
  static CurlKernel fastest() {
    return Fastest.CURL;
  }

  /** Selects the kernel once per JVM. */
  final class Fastest {

    private static final int LANES = 4; // a vector in one register

    static final CurlKernel CURL = find();

    private Fastest() {}

    private static CurlKernel find() {
      if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
        return new ScalarCurl(
            "the JVM was started without --add-modules=jdk.incubator.vector, as for a short run");
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

    /**
     * Only the second compiler (C2) compiles vector operations; without it each vector is an
     * object.
     */
    private static boolean compilesVectors() {
      return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .noneMatch(option -> option.matches("-XX:TieredStopAtLevel=[0-3]|-Xint"));
    }
  }

  /**
   * Describes the implementation for the report: the vectors' width, or why the kernel is scalar.
   */
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
   * Advances H, {@code h += factors * curl e} for the cells from..to-1, and adds to {@code energy}
   * half of {@code V (eps |E|^2 + mu H_old . H_new)} of these cells.
   *
   * <p>Within a block, 64 plain additions lose a few units in the last place; the rounding errors
   * of blocks are independent, and the compensated sum of blocks adds none. Compensation of every
   * term would make each addition depend on the one before. The three axes are summed separately
   * and combined at the end of a block.
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
