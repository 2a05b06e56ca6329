package org.troupe.em3d.mesh;

import java.util.Arrays;

/**
 * Recursive coordinate bisection: cells are cut in two across the longest extent of their
 * barycentres, and each half again.
 *
 * <p>It ends in groups of a few cells, far below a part. So the order in which the cells come out
 * serves twice: consecutive ranges of it are the parts, and inside a part cells near in space are
 * near in memory. Ties go to the lower cell number, hence the result depends on the mesh alone.
 *
 * <p>M. Berger, S. Bokhari, A partitioning strategy for nonuniform problems on multiprocessors,
 * IEEE Trans. Computers 36 (1987) 570-580.
 */
final class Bisection {

  private static final int SMALL_GROUP = 4;

  private final double[] barycentres;
  private final int[] order;
  private final int[] starts;

  Bisection(double[] barycentres, int parts) {
    this.barycentres = barycentres;
    int cells = barycentres.length / 3;
    order = new int[cells];
    Arrays.setAll(order, cell -> cell);
    starts = new int[parts + 1];
    starts[parts] = cells;
    cut(0, cells, 0, parts);
  }

  /** The cells of a part in an order of locality. */
  int[] part(int rank) {
    return Arrays.copyOfRange(order, starts[rank], starts[rank + 1]);
  }

  /** Cuts cells from..to-1 of the order, which the parts from firstPart on shall share. */
  private void cut(int from, int to, int firstPart, int parts) {
    if (parts == 1) {
      starts[firstPart] = from;
      if (to - from <= SMALL_GROUP) {
        return;
      }
    }
    int lowerParts = parts / 2;
    int middle =
        parts == 1 ? (from + to) >>> 1 : from + (int) ((long) (to - from) * lowerParts / parts);
    divide(from, to, middle, longestAxis(from, to));
    if (parts == 1) {
      int start = starts[firstPart];
      cut(from, middle, firstPart, 1);
      cut(middle, to, firstPart, 1);
      starts[firstPart] = start;
    } else {
      cut(from, middle, firstPart, lowerParts);
      cut(middle, to, firstPart + lowerParts, parts - lowerParts);
    }
  }

  private int longestAxis(int from, int to) {
    int longest = 0;
    double extent = -1;
    for (int axis = 0; axis < 3; axis++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int k = from; k < to; k++) {
        double x = barycentres[3 * order[k] + axis];
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (high - low > extent) {
        extent = high - low;
        longest = axis;
      }
    }
    return longest;
  }

  /** Quickselect: afterwards the cells before {@code middle} are below all others. */
  private void divide(int from, int to, int middle, int axis) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      int pivot = order[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (isBelow(order[i], pivot, axis)) {
          i++;
        }
        while (isBelow(pivot, order[j], axis)) {
          j--;
        }
        if (i <= j) {
          int swapped = order[i];
          order[i++] = order[j];
          order[j--] = swapped;
        }
      }
      if (middle <= j) {
        high = j;
      } else if (middle >= i) {
        low = i;
      } else {
        return;
      }
    }
  }

  private boolean isBelow(int cell, int other, int axis) {
    double x = barycentres[3 * cell + axis];
    double y = barycentres[3 * other + axis];
    return x != y ? x < y : cell < other;
  }
}
