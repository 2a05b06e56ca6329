package org.troupe.classics.lu;

import java.util.List;

/**
 * The division of a square matrix into square blocks, and their distribution over a rectangle of
 * members: cyclically in both directions, so that all members have work until the end.
 *
 * @param size the rows of the matrix
 * @param side the rows of a block
 * @param rows the rows of the rectangle of members
 * @param columns the columns of the rectangle of members
 */
record BlockLayout(int size, int side, int rows, int columns) {

  /** Returns a layout whose rectangle is as close to a square as the number of members permits. */
  static BlockLayout over(int members, int size, int side) {
    var rows = (int) Math.sqrt(members);
    while (members % rows != 0) {
      rows--;
    }
    return new BlockLayout(size, side, rows, members / rows);
  }

  /** Returns the number of blocks along one side of the matrix. */
  int count() {
    return size / side;
  }

  /** Returns the rank of the owner of a block. */
  int owner(int row, int column) {
    return row % rows * columns + column % columns;
  }

  /** Returns a member's blocks of the matrix to be factored; elements of other members are null. */
  double[][][][] blocks(int rank) {
    var blocks = new double[count()][count()][][];
    for (var row = 0; row < count(); row++) {
      for (var column = 0; column < count(); column++) {
        if (owner(row, column) == rank) {
          blocks[row][column] = block(row, column);
        }
      }
    }
    return blocks;
  }

  /** Returns all blocks, given those of each member row by row. */
  double[][][][] gathered(List<List<double[][]>> parts) {
    var next = parts.stream().map(List::iterator).toList();
    var blocks = new double[count()][count()][][];
    for (var row = 0; row < count(); row++) {
      for (var column = 0; column < count(); column++) {
        blocks[row][column] = next.get(owner(row, column)).next();
      }
    }
    return blocks;
  }

  /** Returns an element of a matrix with all blocks. */
  double at(double[][][][] blocks, int i, int j) {
    return blocks[i / side][j / side][i % side][j % side];
  }

  private double[][] block(int row, int column) {
    var block = new double[side][side];
    for (var i = 0; i < side; i++) {
      for (var j = 0; j < side; j++) {
        block[i][j] = value(row * side + i, column * side + j);
      }
    }
    return block;
  }

  /**
   * Returns an element: random between -1 and 1, but so large on the diagonal that no pivoting is
   * needed.
   */
  private double value(int i, int j) {
    var bits = (i * 0x9E3779B97F4A7C15L + j) * 0xD1342543DE82EF95L;
    bits = (bits ^ bits >>> 32) * 0xDA942042E4DD58B5L;
    return (bits >> 10) * 0x1p-53 + (i == j ? size : 0);
  }
}
