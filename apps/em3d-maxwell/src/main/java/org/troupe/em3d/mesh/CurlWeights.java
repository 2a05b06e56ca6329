package org.troupe.em3d.mesh;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The geometry factors of the curl: for each cell, the outward area vectors of its first three
 * faces, divided by twice its volume, 1/metre. The fourth is minus their sum.
 *
 * <p>The arrays are not copied; do not change them.
 *
 * @param values {@code [place + 3 * face + axis]}, followed by {@link PartMesh#MARGIN} numbers
 * @param kinds for each cell, the number of its shape: {@code place} is 9 times that number; {@code
 *     null} if each cell has weights of its own
 */
public record CurlWeights(double[] values, byte @Nullable [] kinds) {

  /*
   * Cells of equal shape share their weights. Area vectors are most of a mesh's memory, and were
   * four tenths of the memory traffic of a step. The cells of a structured mesh are translates of a
   * few shapes, those of a cube of six; each shape is stored once, which leaves one byte per cell instead of 72.
   * Shared weights took cube:65 on two sub-domains to between 0.79 and 0.92 of its time (lower quartile
   * and median, alternating in one JVM), and cube:17, which fits into the cache, to 1.1. Large pages
   * gave another factor of 0.93 (30dfec7, 2026-11-22).
   */
  static final int SIZE = 9;

  private static final int MOST_KINDS = Byte.MAX_VALUE + 1;

  /** Returns the index of the first weight of a cell. */
  public int place(int cell) {
    return SIZE * (kinds == null ? cell : kinds[cell]);
  }

  /** Collects the weights cell by cell, and stores weights that are equal to the last bit once. */
  static final class Collection {

    private final int cells;
    private double[] values = new double[SIZE * MOST_KINDS + PartMesh.MARGIN];
    private byte @Nullable [] kinds; // null after too many different shapes
    private int found;
    private int added;

    Collection(int cells) {
      this.cells = cells;
      kinds = new byte[cells];
    }

    void add(Tetrahedron shape) {
      double[] next = new double[SIZE];
      for (int k = 0; k < SIZE; k++) {
        next[k] = shape.areas[k] / (2 * shape.volume);
      }
      if (kinds != null) {
        addKind(kinds, next);
      }
      if (kinds == null) {
        System.arraycopy(next, 0, values, SIZE * added, SIZE);
      }
      added++;
    }

    private void addKind(byte[] known, double[] next) {
      int kind = 0;
      while (kind < found
          && !Arrays.equals(next, 0, SIZE, values, SIZE * kind, SIZE * (kind + 1))) {
        kind++;
      }
      if (kind == MOST_KINDS) {
        spread(known);
        return;
      }
      if (kind == found) {
        System.arraycopy(next, 0, values, SIZE * kind, SIZE);
        found++;
      }
      known[added] = (byte) kind;
    }

    /** Gives each cell weights of its own. */
    private void spread(byte[] known) {
      double[] all = new double[SIZE * cells + PartMesh.MARGIN];
      for (int cell = 0; cell < added; cell++) {
        System.arraycopy(values, SIZE * known[cell], all, SIZE * cell, SIZE);
      }
      values = all;
      kinds = null;
    }

    CurlWeights all() {
      return new CurlWeights(values, kinds);
    }
  }
}
