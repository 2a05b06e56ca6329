package org.troupe.classics.cg;

import java.util.Arrays;

/**
 * Generates the matrix of a problem, or a part of it, by the benchmark's specification: the sum of
 * the outer products of sparse random vectors with themselves, weighted so that the eigenvalues lie
 * between 0.1 and about 1, less a multiple of the identity.
 */
final class MatrixGenerator {

  private static final double LEAST_EIGENVALUE = 0.1;
  private static final double ON_THE_DIAGONAL = 0.5;

  private static final long FACTOR = 1220703125; // 5^13
  private static final long MODULUS = 1L << 46;

  private final NasProblemClass problem;
  private final int stride; // elements reserved for one vector
  private final int[] lengths;
  private final int[] indices;
  private final double[] numbers;
  private final double[] weights;
  private long random = 314159265;

  MatrixGenerator(NasProblemClass problem) {
    this.problem = problem;
    stride = problem.nonZeros + 1;
    lengths = new int[problem.order];
    indices = new int[problem.order * stride];
    numbers = new double[problem.order * stride];
    weights = new double[problem.order];
    next(); // the benchmark discards the first number
    var weight = 1.0;
    var ratio = Math.pow(LEAST_EIGENVALUE, 1.0 / problem.order);
    for (var vector = 0; vector < problem.order; vector++) {
      makeVector(vector);
      weights[vector] = weight;
      weight *= ratio;
    }
  }

  /** Returns a random number between 0 and 1. */
  private double next() {
    random = random * FACTOR & MODULUS - 1; // the overflow is a multiple of the modulus
    return (double) random / MODULUS;
  }

  private void makeVector(int vector) {
    var powerOfTwo = Integer.highestOneBit(problem.order - 1) * 2;
    var begin = vector * stride;
    var end = begin;
    while (end < begin + problem.nonZeros) {
      var number = next();
      var candidate = (int) (powerOfTwo * next());
      if (candidate < problem.order && indexOf(candidate, begin, end) == end) {
        indices[end] = candidate;
        numbers[end++] = number;
      }
    }
    var diagonal = indexOf(vector, begin, end);
    indices[diagonal] = vector;
    numbers[diagonal] = ON_THE_DIAGONAL;
    lengths[vector] = Math.max(end, diagonal + 1) - begin;
  }

  /** Returns the position of an index, or the end. */
  private int indexOf(int candidate, int begin, int end) {
    var at = begin;
    while (at < end && indices[at] != candidate) {
      at++;
    }
    return at;
  }

  /**
   * Returns some rows and columns of the matrix; its indices are relative to the first row and
   * column.
   */
  SparseMatrix matrix(int firstRow, int rows, int firstColumn, int columns) {
    var occurrences = occurrences(firstRow, rows);
    var sums = new double[columns];
    var isUsed = new boolean[columns];
    var found = new int[columns];
    var starts = new int[rows + 1];
    var where = new int[rows * stride];
    var values = new double[rows * stride];
    var count = 0;
    for (var row = 0; row < rows; row++) {
      var inRow = 0;
      for (var index : occurrences[row]) {
        var vector = index / stride;
        var scale = weights[vector] * numbers[index];
        for (var i = vector * stride; i < vector * stride + lengths[vector]; i++) {
          var column = indices[i] - firstColumn;
          if (column >= 0 && column < columns) {
            if (!isUsed[column]) {
              isUsed[column] = true;
              found[inRow++] = column;
            }
            var isDiagonal = i == index && indices[i] == vector;
            sums[column] +=
                numbers[i] * scale + (isDiagonal ? LEAST_EIGENVALUE - problem.shift : 0);
          }
        }
      }
      if (count + inRow > where.length) {
        var larger = Math.max(count + inRow, where.length + where.length / 2);
        where = Arrays.copyOf(where, larger);
        values = Arrays.copyOf(values, larger);
      }
      Arrays.sort(found, 0, inRow);
      for (var i = 0; i < inRow; i++) {
        where[count] = found[i];
        values[count++] = sums[found[i]];
        sums[found[i]] = 0;
        isUsed[found[i]] = false;
      }
      starts[row + 1] = count;
    }
    return new SparseMatrix(starts, Arrays.copyOf(where, count), Arrays.copyOf(values, count));
  }

  /** Returns, for each row, its positions in the list of vector indices. */
  private int[][] occurrences(int firstRow, int rows) {
    var counts = new int[rows];
    var occurrences = new int[rows][];
    for (var pass = 0; pass < 2; pass++) {
      for (var vector = 0; vector < problem.order; vector++) {
        for (var i = vector * stride; i < vector * stride + lengths[vector]; i++) {
          var row = indices[i] - firstRow;
          if (row >= 0 && row < rows) {
            if (pass == 1) {
              occurrences[row][counts[row]] = i;
            }
            counts[row]++;
          }
        }
      }
      if (pass == 0) {
        Arrays.setAll(occurrences, row -> new int[counts[row]]);
        Arrays.fill(counts, 0);
      }
    }
    return occurrences;
  }
}
