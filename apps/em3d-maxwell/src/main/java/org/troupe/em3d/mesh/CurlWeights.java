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

  /** Stores the weights of a cell from a place on. */
  static void store(Tetrahedron shape, double[] values, int place) {
    for (int k = 0; k < SIZE; k++) {
      values[place + k] = shape.areas[k] / (2 * shape.volume);
    }
  }

  /** The different weights of some cells, in the order in which they were found. */
  static final class Shapes {

    private final double[] values = new double[SIZE * MOST_KINDS + PartMesh.MARGIN];
    private final double[] next = new double[SIZE];
    private int found;
    private int latest; // the number that was returned last

    /** Returns the number of a cell's shape; -1 if there are too many different ones. */
    int number(Tetrahedron shape) {
      store(shape, next, 0);
      return number(next, 0);
    }

    private int number(double[] weights, int place) {
      int kind =
          latest + 1; // shapes of neighbours follow each other in the same order again and again
      for (int tried = 0; tried < found; tried++, kind++) {
        if (kind >= found) {
          kind = 0;
        }
        if (Arrays.equals(weights, place, place + SIZE, values, SIZE * kind, SIZE * (kind + 1))) {
          latest = kind;
          return kind;
        }
      }
      if (found == MOST_KINDS) {
        return -1;
      }
      System.arraycopy(weights, place, values, SIZE * found, SIZE);
      latest = found;
      return found++;
    }

    /**
     * Adds the shapes of other cells, and replaces their numbers by those of this collection.
     *
     * @param kinds the numbers of the cells from..to-1 in {@code other}
     * @return false if there are too many different shapes
     */
    boolean merge(Shapes other, byte[] kinds, int from, int to) {
      byte[] numbers = new byte[other.found];
      boolean differs = false;
      for (int kind = 0; kind < other.found; kind++) {
        int number = number(other.values, SIZE * kind);
        if (number < 0) {
          return false;
        }
        numbers[kind] = (byte) number;
        differs |= number != kind;
      }
      for (int cell = from; differs && cell < to; cell++) {
        kinds[cell] = numbers[kinds[cell]];
      }
      return true;
    }

    /** Returns the weights of cells with these numbers. */
    CurlWeights weights(byte[] kinds) {
      return new CurlWeights(values, kinds);
    }
  }
}
