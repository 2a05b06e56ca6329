package org.troupe.satin.programs;

import ibis.satin.Inlet;
import ibis.satin.SatinObject;
import ibis.satin.Spawnable;

/** Thrown with a placement. */
class QueensFound extends Inlet {
  private static final long serialVersionUID = 1;
  final int[] columns;

  QueensFound(int[] columns) {
    this.columns = columns;
  }
}

interface FirstQueensInterface extends Spawnable {
  void search(int[] columns, int row) throws QueensFound;
}

/** Finds one placement of n queens: the first that is found aborts the rest. */
public class FirstQueens extends SatinObject implements FirstQueensInterface {
  private static final long serialVersionUID = 1;

  static boolean safe(int[] columns, int row) {
    for (int i = 0; i < row; i++) {
      int distance = Math.abs(columns[i] - columns[row]);
      if (distance == 0 || distance == row - i) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void search(int[] columns, int row) throws QueensFound {
    if (row == columns.length) {
      throw new QueensFound(columns);
    }
    for (int column = 0; column < columns.length; column++) {
      int[] next = columns.clone();
      next[row] = column;
      if (safe(next, row)) {
        search(next, row + 1);
      }
    }
    sync();
  }

  int[] start(int n) {
    int[] result = null;
    try {
      search(new int[n], 0);
    } catch (QueensFound found) {
      result = found.columns;
      abort();
      return result;
    }
    sync();
    return result;
  }

  public static void main(String[] args) {
    int n = CheckedResult.size(args, 8, 4, 40);
    int[] columns = new FirstQueens().start(n);
    boolean right = columns != null && columns.length == n;
    for (int row = 0; right && row < n; row++) {
      right = safe(columns, row);
    }
    CheckedResult.print(n + " queens: " + java.util.Arrays.toString(columns), right);
  }
}
