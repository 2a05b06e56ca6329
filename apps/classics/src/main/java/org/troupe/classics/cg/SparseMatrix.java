package org.troupe.classics.cg;

/**
 * A sparse matrix in compressed row storage.
 *
 * @param starts the index of each row's first element in the other arrays, and the end of the last
 *     row
 */
record SparseMatrix(int[] starts, int[] columns, double[] values) {

  int rows() {
    return starts.length - 1;
  }

  /** Multiplies the matrix by a vector. */
  void multiply(double[] vector, double[] product) {
    for (var row = 0; row < starts.length - 1; row++) {
      product[row] = multiply(starts[row], starts[row + 1], values, columns, vector);
    }
  }

  /**
   * Multiplies one row. With one sum, each addition would wait for the one before it, so there are
   * four.
   */
  private static double multiply(
      int from, int to, double[] values, int[] columns, double[] vector) {
    var first = 0.0;
    var second = 0.0;
    var third = 0.0;
    var fourth = 0.0;
    var i = from;
    for (; i < to - 3; i += 4) {
      first += values[i] * vector[columns[i]];
      second += values[i + 1] * vector[columns[i + 1]];
      third += values[i + 2] * vector[columns[i + 2]];
      fourth += values[i + 3] * vector[columns[i + 3]];
    }
    for (; i < to; i++) {
      first += values[i] * vector[columns[i]];
    }
    return first + second + (third + fourth);
  }
}
