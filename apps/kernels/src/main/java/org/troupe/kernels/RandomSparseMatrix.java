package org.troupe.kernels;

import java.util.Arrays;

/** Some rows of the matrix of CG: a sum of outer products of random sparse vectors. */
final class RandomSparseMatrix {

  private final int[] starts;
  private final int[] columns;
  private final double[] values;

  /**
   * Makes the rows from a first one on.
   *
   * @param order the number of rows and columns of the whole matrix
   * @param nonZeros the random elements of each vector
   * @param shift subtracted from the diagonal
   * @param condition the quotient of the last and the first weight
   */
  RandomSparseMatrix(int order, int nonZeros, double shift, double condition, int first, int rows) {
    var random = new NasRandom();
    random.next(); // the benchmark's main program takes one
    var places = 1;
    while (places < order) {
      places *= 2;
    }
    var lists = new ElementList[rows];
    Arrays.setAll(lists, _ -> new ElementList(nonZeros * (nonZeros + 1)));
    var indices = new int[nonZeros + 1];
    var elements = new double[nonZeros + 1];
    var weight = 1.0;
    var ratio = Math.pow(condition, 1.0 / order);
    for (var vector = 0; vector < order; vector++) {
      var count = drawVector(random, order, nonZeros, places, indices, elements);
      count = setElement(indices, elements, count, vector);
      for (var i = 0; i < count; i++) {
        var row = indices[i] - first;
        if (row >= 0 && row < rows) {
          var scale = weight * elements[i];
          for (var j = 0; j < count; j++) {
            var value = elements[j] * scale;
            if (indices[j] == indices[i] && indices[i] == vector) {
              value += condition - shift;
            }
            lists[row].add(indices[j], value);
          }
        }
      }
      weight *= ratio;
    }
    starts = new int[rows + 1];
    for (var row = 0; row < rows; row++) {
      starts[row + 1] = starts[row] + lists[row].count;
    }
    columns = new int[starts[rows]];
    values = new double[starts[rows]];
    for (var row = 0; row < rows; row++) {
      System.arraycopy(lists[row].columns, 0, columns, starts[row], lists[row].count);
      System.arraycopy(lists[row].values, 0, values, starts[row], lists[row].count);
    }
  }

  private static int drawVector(
      NasRandom random, int order, int nonZeros, int places, int[] indices, double[] elements) {
    var count = 0;
    while (count < nonZeros) {
      var element = random.next();
      var index = (int) (places * random.next());
      if (index < order && find(indices, count, index) < 0) {
        indices[count] = index;
        elements[count++] = element;
      }
    }
    return count;
  }

  private static int setElement(int[] indices, double[] elements, int count, int index) {
    var found = find(indices, count, index);
    var at = found < 0 ? count : found;
    indices[at] = index;
    elements[at] = 0.5;
    return found < 0 ? count + 1 : count;
  }

  private static int find(int[] indices, int count, int index) {
    for (var i = 0; i < count; i++) {
      if (indices[i] == index) {
        return i;
      }
    }
    return -1;
  }

  /** The elements of one row, by column. */
  private static final class ElementList {
    private int[] columns;
    private double[] values;
    private int count;

    ElementList(int capacity) {
      columns = new int[capacity];
      values = new double[capacity];
    }

    void add(int column, double value) {
      var at = Arrays.binarySearch(columns, 0, count, column);
      if (at >= 0) {
        values[at] += value;
        return;
      }
      at = -at - 1;
      if (count == columns.length) {
        columns = Arrays.copyOf(columns, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      System.arraycopy(columns, at, columns, at + 1, count - at);
      System.arraycopy(values, at, values, at + 1, count - at);
      columns[at] = column;
      values[at] = value;
      count++;
    }
  }

  /** Returns the place of the first element of each row in the other arrays. */
  int[] starts() {
    return starts;
  }

  int[] columns() {
    return columns;
  }

  double[] values() {
    return values;
  }
}
