package org.troupe.satin.programs;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;

interface NQueensInterface extends Spawnable {
  long spawnCount(int n, int row, int columns, int left, int right);
}

/** Counts the placements of n queens: an irregular tree, sequential below some rows. */
public class NQueens extends SatinObject implements NQueensInterface {
  private static final long serialVersionUID = 1;
  private static final int SPAWN_ROWS = 3;

  /** Known numbers of solutions. */
  private static final long[] KNOWN = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712};

  static long count(int n, int row, int columns, int left, int right) {
    if (row == n) {
      return 1;
    }
    long sum = 0;
    int free = ~(columns | left | right) & ((1 << n) - 1);
    while (free != 0) {
      int queen = free & -free;
      free -= queen;
      sum += count(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return sum;
  }

  @Override
  public long spawnCount(int n, int row, int columns, int left, int right) {
    if (row == n || row >= SPAWN_ROWS) {
      return count(n, row, columns, left, right);
    }
    long[] sums = new long[n];
    int jobs = 0;
    int free = ~(columns | left | right) & ((1 << n) - 1);
    while (free != 0) {
      int queen = free & -free;
      free -= queen;
      sums[jobs++] =
          spawnCount(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    sync();
    long sum = 0;
    for (int i = 0; i < jobs; i++) {
      sum += sums[i];
    }
    return sum;
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 8, 1, 13);
    NQueens q = new NQueens();
    long result = q.spawnCount(n, 0, 0, 0, 0);
    q.sync();
    CheckedResult.print(n + " queens: " + result, result == KNOWN[n]);
  }
}
