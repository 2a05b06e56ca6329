package org.troupe.em3d.mesh;

import java.util.Arrays;

/**
 * The built-in partitioner: a plane divides the cells into two halves, moving cells across it
 * reduces the cut, and each half is divided again.
 *
 * <p>Parts differ by at most one cell. Ties are broken by cell numbers, so the result depends on
 * the mesh only.
 *
 * <p>The plane is that of H. Simon, Partitioning of unstructured problems for parallel processing,
 * Computing Systems in Engineering 2 (1991) 135-148, or lies across an axis, whichever cuts fewer
 * faces. The smoothing is that of C. Fiduccia and R. Mattheyses, A linear-time heuristic for
 * improving network partitions, DAC 1982: in each move, the cell with the largest gain changes
 * sides, even if the gain is negative; the best of all intermediate states is the result.
 */
final class RecursiveBisection {

  private static final int GAINS = 9; // from -4 to 4: a cell has four faces
  private static final int MOST_PASSES = 12;
  private static final int NONE = -1;
  private static final byte MOVED = -2;

  private final int[] neighbours;
  private final double[] barycentres;
  private final int[] order;

  /** The range of the order that each cell belongs to; at the end, its part. */
  private final int[] set;

  private final double[] heights;
  private final byte[] side;

  // For the smoothing: cells by gain, in one list for each side and gain; and the moves of a pass.
  private final int[] heads = new int[2 * GAINS];
  private final int[] nextInList;
  private final int[] previousInList;
  private final byte[] list; // of each cell, NONE, or MOVED
  private final int[] moves;

  RecursiveBisection(int[] neighbours, double[] barycentres, int parts) {
    this.neighbours = neighbours;
    this.barycentres = barycentres;
    int cells = neighbours.length / 4;
    order = new int[cells];
    Arrays.setAll(order, cell -> cell);
    set = new int[cells];
    heights = new double[cells];
    side = new byte[cells];
    nextInList = new int[cells];
    previousInList = new int[cells];
    list = new byte[cells];
    moves = new int[cells];
    bisect(0, cells, 0, parts);
  }

  /** Returns the part of each cell. */
  int[] owners() {
    return set;
  }

  /** Divides cells from..to-1 of the order among the parts from firstPart on. */
  private void bisect(int from, int to, int firstPart, int parts) {
    if (parts == 1) {
      return; // all of them have this number already
    }
    int lowerParts = parts / 2;
    int middle = from + (int) ((long) (to - from) * lowerParts / parts);
    double[][] directions = {longestAxis(from, to), principalAxis(from, to)};
    double[] best = directions[0];
    long fewest = Long.MAX_VALUE;
    for (double[] direction : directions) {
      divide(from, to, middle, direction);
      long faces = facesBetweenSides(from, to);
      if (faces < fewest) {
        fewest = faces;
        best = direction;
      }
    }
    divide(from, to, middle, best);
    smooth(from, to);
    int low = from;
    for (int k = from;
        k < to;
        k++) { // the lower side first; the order within a side does not matter
      int cell = order[k];
      if (side[cell] == 0) {
        order[k] = order[low];
        order[low++] = cell;
      } else {
        set[cell] = firstPart + lowerParts;
      }
    }
    bisect(from, middle, firstPart, lowerParts);
    bisect(middle, to, firstPart + lowerParts, parts - lowerParts);
  }

  // Planes

  private double[] longestAxis(int from, int to) {
    double[] direction = new double[3];
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
    direction[longest] = 1;
    return direction;
  }

  /** Returns the principal axis of the cells' barycentres, by power iteration. */
  private double[] principalAxis(int from, int to) {
    double[] mean = new double[3];
    double[] spread = new double[9];
    for (int k = from; k < to; k++) {
      for (int axis = 0; axis < 3; axis++) {
        mean[axis] += barycentres[3 * order[k] + axis] / (to - from);
      }
    }
    for (int k = from; k < to; k++) {
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          spread[3 * i + j] +=
              (barycentres[3 * order[k] + i] - mean[i]) * (barycentres[3 * order[k] + j] - mean[j]);
        }
      }
    }
    double[] direction = {0.6, 0.5, 0.4};
    for (int n = 0; n < 50; n++) {
      double[] turned = new double[3];
      double length = 0;
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          turned[i] += spread[3 * i + j] * direction[j];
        }
        length = Math.hypot(length, turned[i]);
      }
      if (!(length > 0)) {
        return direction;
      }
      for (int i = 0; i < 3; i++) {
        direction[i] = turned[i] / length;
      }
    }
    return direction;
  }

  /**
   * Assigns the lowest cells in a direction, up to {@code middle}, to side 0 and the others to side
   * 1.
   */
  private void divide(int from, int to, int middle, double[] direction) {
    for (int k = from; k < to; k++) {
      int cell = order[k];
      heights[cell] =
          direction[0] * barycentres[3 * cell]
              + direction[1] * barycentres[3 * cell + 1]
              + direction[2] * barycentres[3 * cell + 2];
    }
    select(from, to, middle);
    for (int k = from; k < to; k++) {
      side[order[k]] = (byte) (k < middle ? 0 : 1);
    }
  }

  /** Quickselect: moves the lowest cells before {@code middle}. */
  private void select(int from, int to, int middle) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      int pivot = order[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (isBelow(order[i], pivot)) {
          i++;
        }
        while (isBelow(pivot, order[j])) {
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

  private boolean isBelow(int cell, int other) {
    double x = heights[cell];
    double y = heights[other];
    return x != y ? x < y : cell < other;
  }

  private long facesBetweenSides(int from, int to) {
    long sides = 0;
    for (int k = from; k < to; k++) {
      sides += facesAcross(order[k]);
    }
    return sides / 2;
  }

  private int facesAcross(int cell) {
    int across = 0;
    for (int face = 4 * cell; face < 4 * cell + 4; face++) {
      int other = neighbours[face];
      if (other >= 0 && set[other] == set[cell] && side[other] != side[cell]) {
        across++;
      }
    }
    return across;
  }

  // Smoothing

  /** Repeats passes while they reduce the cut; both sides keep their sizes. */
  private void smooth(int from, int to) {
    int slack = Math.max(2, (to - from) / 200);
    for (int pass = 0; pass < MOST_PASSES && saved(from, to, slack) > 0; pass++) {}
  }

  /**
   * Executes one pass, in which each cell moves at most once.
   *
   * @param slack the number of cells by which a side may grow during the pass
   * @return the reduction of the cut, in faces
   */
  private int saved(int from, int to, int slack) {
    Arrays.fill(heads, NONE);
    int patience = 0;
    for (int k = from; k < to; k++) {
      list[order[k]] = NONE;
    }
    for (int k = from; k < to; k++) {
      if (facesAcross(order[k]) > 0) {
        insert(order[k]);
        patience++;
      }
    }
    patience = Math.max(50, patience / 2);
    int count = 0;
    int excess = 0; // of side 0
    int gained = 0;
    int best = 0;
    int bestCount = 0;
    while (count - bestCount < patience) {
      int cell = choose(excess, slack);
      if (cell == NONE) {
        break;
      }
      gained += gain(cell);
      excess += side[cell] == 0 ? -1 : 1;
      move(cell);
      moves[count++] = cell;
      if (excess == 0 && gained > best) {
        best = gained;
        bestCount = count;
      }
    }
    while (count > bestCount) {
      side[moves[--count]] ^= 1;
    }
    return best;
  }

  /** Returns the cell with the largest gain on a side that may shrink. */
  private int choose(int excess, int slack) {
    for (int gain = GAINS - 1; gain >= 0; gain--) {
      int lower = excess > -slack ? heads[gain] : NONE;
      int upper = excess < slack ? heads[GAINS + gain] : NONE;
      if (lower != NONE && (upper == NONE || excess > 0)) {
        return lower;
      }
      if (upper != NONE) {
        return upper;
      }
    }
    return NONE;
  }

  private void move(int cell) {
    remove(cell);
    list[cell] = MOVED;
    side[cell] ^= 1;
    for (int face = 4 * cell; face < 4 * cell + 4; face++) {
      int other = neighbours[face];
      if (other >= 0 && set[other] == set[cell] && list[other] != MOVED) {
        if (list[other] != NONE) {
          remove(other);
        }
        insert(other);
      }
    }
  }

  /** Returns the gain of a cell: the faces by which its move would reduce the cut. */
  private int gain(int cell) {
    int gain = 0;
    for (int face = 4 * cell; face < 4 * cell + 4; face++) {
      int other = neighbours[face];
      if (other >= 0 && set[other] == set[cell]) {
        gain += side[other] != side[cell] ? 1 : -1;
      }
    }
    return gain;
  }

  private void insert(int cell) {
    int at = GAINS * side[cell] + gain(cell) + 4;
    int head = heads[at];
    list[cell] = (byte) at;
    previousInList[cell] = NONE;
    nextInList[cell] = head;
    if (head != NONE) {
      previousInList[head] = cell;
    }
    heads[at] = cell;
  }

  private void remove(int cell) {
    int before = previousInList[cell];
    int after = nextInList[cell];
    if (before == NONE) {
      heads[list[cell]] = after;
    } else {
      nextInList[before] = after;
    }
    if (after != NONE) {
      previousInList[after] = before;
    }
    list[cell] = NONE;
  }
}
