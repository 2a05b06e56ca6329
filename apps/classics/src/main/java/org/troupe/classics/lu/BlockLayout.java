package org.troupe.classics.lu;

import java.util.List;

/**
 * How a square matrix is cut into square blocks, and which of the members of a rectangle has which:
 * in turns in both directions, so that all have work until the end.
 *
 * @param size of the matrix, in numbers along one side
 * @param side of a block
 * @param rows of the rectangle of members
 * @param columns of it
 */
record BlockLayout(int size, int side, int rows, int columns) {

  /** The rectangle is as square as the number of members permits. */
  static BlockLayout over(int members, int size, int side) {
    var rows = (int) Math.sqrt(members);
    while (members % rows != 0) {
      rows--;
    }
    return new BlockLayout(size, side, rows, members / rows);
  }

  /** Returns how many blocks there are along one side. */
  int count() {
    return size / side;
  }

  /** Returns who has a block. */
  int owner(int row, int column) {
    return row % rows * columns + column % columns;
  }

  /**
   * Returns a member's blocks of the matrix that is to be factored, and null for those of others.
   */
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

  /** Puts together what all members have, each one's blocks row by row. */
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

  /** Returns a number of a matrix all of whose blocks are there. */
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

  /** Between -1 and 1, but so large on the diagonal that no rows need be exchanged. */
  private double value(int i, int j) {
    var bits = (i * 0x9E3779B97F4A7C15L + j) * 0xD1342543DE82EF95L;
    bits = (bits ^ bits >>> 32) * 0xDA942042E4DD58B5L;
    return (bits >> 10) * 0x1p-53 + (i == j ? size : 0);
  }
}
