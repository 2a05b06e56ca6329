package org.troupe.classics.lu;

/** The operations of the factorisation on square blocks, which are stored row by row. */
final class BlockKernels {

  private BlockKernels() {}

  /**
   * Factors a block in place: L replaces the elements below the diagonal, U the others; the
   * diagonal of L is 1.
   */
  static void factor(double[][] block) {
    var size = block.length;
    for (var k = 0; k < size; k++) {
      var pivot = block[k];
      for (var i = k + 1; i < size; i++) {
        var row = block[i];
        var factor = row[k] / pivot[k];
        row[k] = factor;
        for (var j = k + 1; j < size; j++) {
          row[j] -= factor * pivot[j];
        }
      }
    }
  }

  /**
   * Replaces a block B below a diagonal block by its part of L, the solution X of X U = B, where U
   * belongs to the diagonal block.
   */
  static void divideByUpper(double[][] block, double[][] diagonal) {
    var size = block.length;
    for (var row : block) {
      for (var k = 0; k < size; k++) {
        var upper = diagonal[k];
        var factor = row[k] / upper[k];
        row[k] = factor;
        for (var j = k + 1; j < size; j++) {
          row[j] -= factor * upper[j];
        }
      }
    }
  }

  /**
   * Replaces a block B to the right of a diagonal block by its part of U, the solution X of L X =
   * B, where L belongs to the diagonal block.
   */
  static void divideByLower(double[][] block, double[][] diagonal) {
    var size = block.length;
    for (var k = 0; k < size; k++) {
      var upper = block[k];
      for (var i = k + 1; i < size; i++) {
        var row = block[i];
        var factor = diagonal[i][k];
        for (var j = 0; j < size; j++) {
          row[j] -= factor * upper[j];
        }
      }
    }
  }

  /** Subtracts the product of two blocks from a block; nearly all of the time is spent here. */
  static void subtract(double[][] block, double[][] left, double[][] above) {
    var size = block.length;
    for (var i = 0; i < size; i++) {
      var row = block[i];
      var factors = left[i];
      var k = 0;
      for (;
          k + 4 <= size;
          k += 4) { // four rows per pass, since each pass reads and writes the whole row
        subtract(row, factors, k, above[k], above[k + 1], above[k + 2], above[k + 3]);
      }
      for (; k < size; k++) {
        for (var j = 0; j < size; j++) {
          row[j] -= factors[k] * above[k][j];
        }
      }
    }
  }

  private static void subtract(
      double[] row, double[] factors, int k, double[] a, double[] b, double[] c, double[] d) {
    var fa = factors[k];
    var fb = factors[k + 1];
    var fc = factors[k + 2];
    var fd = factors[k + 3];
    for (var j = 0; j < row.length; j++) {
      row[j] = row[j] - fa * a[j] - fb * b[j] - fc * c[j] - fd * d[j];
    }
  }
}
