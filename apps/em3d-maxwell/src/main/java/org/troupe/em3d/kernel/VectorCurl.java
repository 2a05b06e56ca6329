package org.troupe.em3d.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.troupe.em3d.mesh.CurlWeights;

/**
 * The curl kernel with the Vector API: one field vector per register. Loaded only where the module
 * {@code jdk.incubator.vector} is present.
 */
final class VectorCurl implements CurlKernel {

  /*
   * Three of the four lanes are used. The fourth holds a component of the next vector and is never
   * stored. With four numbers per cell, vectors would be aligned, but a large mesh is bound by memory:
   * on cube:65, 24 bytes per vector are faster than 32.
   *
   * A vector is stored as two lanes and one, not as four lanes under a mask: a load of the next vector
   * that overlaps with a store, masked or not, is not forwarded and waits until the store reaches the cache.
   *
   * cube:9 to 17, in cache, against ScalarCurl: 0.65; cube:65: 0.85 (Sapphire Rapids, two virtual cores).
   */
  private static final VectorSpecies<Double> FOUR = DoubleVector.SPECIES_256;

  private static final VectorSpecies<Double> TWO = DoubleVector.SPECIES_128;

  /** (x, y, z) becomes (y, z, x). */
  private static final VectorShuffle<Double> NEXT = VectorShuffle.fromValues(FOUR, 1, 2, 0, 3);

  static int widestLanes() {
    return DoubleVector.SPECIES_PREFERRED.length();
  }

  @Override
  public String description() {
    return "vectors of " + FOUR.vectorBitSize() + " bits";
  }

  @Override
  public void add(
      int from,
      int to,
      int[] places,
      CurlWeights weights,
      CellValues factors,
      double[] source,
      double[] target) {
    double[] factor = factors.values();
    int mask = factors.mask();
    double[] weight = weights.values();
    byte[] kinds = weights.kinds();
    for (int cell = from; cell < to; cell++) {
      DoubleVector added =
          curl(cell, places, 9 * (kinds == null ? cell : kinds[cell]), weight, source)
              .mul(factor[cell & mask]);
      store(at(target, 3 * cell).add(added), target, 3 * cell);
    }
  }

  @Override
  public void addWithEnergy(
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
      CompensatedSum energy) {
    double[] factor = factors.values();
    int mask = factors.mask();
    double[] weight = weights.values();
    byte[] kinds = weights.kinds();
    for (int start = from; start < to; start += BLOCK) {
      DoubleVector sum = DoubleVector.zero(FOUR);
      int end = Math.min(start + BLOCK, to);
      for (int cell = start; cell < end; cell++) {
        DoubleVector before = at(h, 3 * cell);
        DoubleVector after =
            before.add(
                curl(cell, places, 9 * (kinds == null ? cell : kinds[cell]), weight, e)
                    .mul(factor[cell & mask]));
        store(after, h, 3 * cell);
        DoubleVector electric = at(e, 3 * cell);
        sum =
            sum.add(
                electric
                    .mul(electric)
                    .mul(epsilon.at(cell))
                    .add(before.mul(after).mul(mu.at(cell)))
                    .mul(volumes[cell]));
      }
      energy.add((sum.lane(0) + sum.lane(1) + sum.lane(2)) / 2);
    }
  }

  /** Computes the sum of N x F with rotated axes (z, x, y), and rotates it back at the end. */
  private static DoubleVector curl(
      int cell, int[] places, int w, double[] weights, double[] source) {
    int p = 4 * cell;
    DoubleVector last = at(source, places[p + 3]);
    DoubleVector a = at(source, places[p]).sub(last);
    DoubleVector b = at(source, places[p + 1]).sub(last);
    DoubleVector c = at(source, places[p + 2]).sub(last);
    DoubleVector na = at(weights, w);
    DoubleVector nb = at(weights, w + 3);
    DoubleVector nc = at(weights, w + 6);
    return cross(na, a).add(cross(nb, b)).add(cross(nc, c)).rearrange(NEXT);
  }

  private static DoubleVector cross(DoubleVector n, DoubleVector f) {
    return n.mul(f.rearrange(NEXT)).sub(n.rearrange(NEXT).mul(f));
  }

  private static DoubleVector at(double[] vectors, int place) {
    return DoubleVector.fromArray(FOUR, vectors, place);
  }

  private static void store(DoubleVector vector, double[] vectors, int place) {
    ((DoubleVector) vector.reinterpretShape(TWO, 0)).intoArray(vectors, place);
    vectors[place + 2] = vector.lane(2);
  }
}
