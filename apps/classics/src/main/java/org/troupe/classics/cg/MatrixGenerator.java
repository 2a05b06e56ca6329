package org.troupe.classics.cg;

import java.util.Arrays;

/**
 * Makes the matrix of a problem, or a part of it, as the benchmark's specification says: the sum of
 * the products of sparse random vectors with themselves, weighted so that the eigenvalues lie
 * between 0.1 and about 1, less a multiple of the identity.
 */
final class MatrixGenerator {

  private static final double LEAST_EIGENVALUE = 0.1;
  private static final double ON_THE_DIAGONAL = 0.5;

  private static final long FACTOR = 1220703125; // 5^13
  private static final long MODULUS = 1L << 46;

  private final NasProblemClass problem;
  private final int room; // for one vector
  private final int[] lengths;
  private final int[] places;
  private final double[] numbers;
  private final double[] weights;
  private long random = 314159265;

  MatrixGenerator(NasProblemClass problem) {
    this.problem = problem;
    room = problem.nonZeros + 1;
    lengths = new int[problem.order];
    places = new int[problem.order * room];
    numbers = new double[problem.order * room];
    weights = new double[problem.order];
    next(); // the benchmark throws the first one away
    var weight = 1.0;
    var ratio = Math.pow(LEAST_EIGENVALUE, 1.0 / problem.order);
    for (var vector = 0; vector < problem.order; vector++) {
      makeVector(vector);
      weights[vector] = weight;
      weight *= ratio;
    }
  }

  /** Between 0 and 1. */
  private double next() {
    random = random * FACTOR & MODULUS - 1; // what overflows is a multiple of the modulus
    return (double) random / MODULUS;
  }

  private void makeVector(int vector) {
    var powerOfTwo = Integer.highestOneBit(problem.order - 1) * 2;
    var begin = vector * room;
    var end = begin;
    while (end < begin + problem.nonZeros) {
      var number = next();
      var place = (int) (powerOfTwo * next());
      if (place < problem.order && indexOf(place, begin, end) == end) {
        places[end] = place;
        numbers[end++] = number;
      }
    }
    var diagonal = indexOf(vector, begin, end);
    places[diagonal] = vector;
    numbers[diagonal] = ON_THE_DIAGONAL;
    lengths[vector] = Math.max(end, diagonal + 1) - begin;
  }

  /** Returns where a place is, or the end. */
  private int indexOf(int place, int begin, int end) {
    var at = begin;
    while (at < end && places[at] != place) {
      at++;
    }
    return at;
  }

  /** Returns some rows and columns of the matrix, both counted from the first of them. */
  SparseMatrix matrix(int firstRow, int rows, int firstColumn, int columns) {
    var touching = touching(firstRow, rows);
    var sums = new double[columns];
    var isThere = new boolean[columns];
    var found = new int[columns];
    var starts = new int[rows + 1];
    var where = new int[rows * room];
    var values = new double[rows * room];
    var count = 0;
    for (var row = 0; row < rows; row++) {
      var inRow = 0;
      for (var index : touching[row]) {
        var vector = index / room;
        var scale = weights[vector] * numbers[index];
        for (var i = vector * room; i < vector * room + lengths[vector]; i++) {
          var column = places[i] - firstColumn;
          if (column >= 0 && column < columns) {
            if (!isThere[column]) {
              isThere[column] = true;
              found[inRow++] = column;
            }
            var isDiagonal = i == index && places[i] == vector;
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
        isThere[found[i]] = false;
      }
      starts[row + 1] = count;
    }
    return new SparseMatrix(starts, Arrays.copyOf(where, count), Arrays.copyOf(values, count));
  }

  /** Returns, for each row, where it is among the places of vectors. */
  private int[][] touching(int firstRow, int rows) {
    var counts = new int[rows];
    var touching = new int[rows][];
    for (var pass = 0; pass < 2; pass++) {
      for (var vector = 0; vector < problem.order; vector++) {
        for (var i = vector * room; i < vector * room + lengths[vector]; i++) {
          var row = places[i] - firstRow;
          if (row >= 0 && row < rows) {
            if (pass == 1) {
              touching[row][counts[row]] = i;
            }
            counts[row]++;
          }
        }
      }
      if (pass == 0) {
        Arrays.setAll(touching, row -> new int[counts[row]]);
        Arrays.fill(counts, 0);
      }
    }
    return touching;
  }
}
