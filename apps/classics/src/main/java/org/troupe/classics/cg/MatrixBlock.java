package org.troupe.classics.cg;

import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * A block of a matrix, and the part of each vector that belongs to its columns; all members of a
 * column of blocks have the same part.
 */
final class MatrixBlock implements LinearOperator {

  /*
   * As in the benchmark's own programs, there are as many columns of blocks as rows, or twice as
   * many. A product is one of rows, summed over the blocks of each; it is needed by columns, so it
   * goes to the member on the other side of the diagonal. With twice as many columns every row of
   * blocks is as high as two columns are wide: neighbours swap halves of it first, and each lane of
   * even or odd columns goes on with its own half.
   */

  private final Spmd<?> spmd;
  private final Spmd<?> row; // the members that share the rows here
  private final Spmd<?> lane; // those of them that sum the same columns
  private final int opposite;
  private final SparseMatrix matrix;
  private final int columns;
  private final Slice<double[]> own; // what this lane sums
  private final Slice<double[]> neighbours; // what the other one does, if there are two
  private final Slice<double[]> swapped;

  MatrixBlock(NasProblemClass problem, Spmd<?> spmd) {
    this.spmd = spmd;
    var height = 1 << Integer.numberOfTrailingZeros(spmd.size()) / 2;
    var width = spmd.size() / height;
    var lanes = width / height;
    var rowOfBlocks = spmd.rank() / width;
    var columnOfBlocks = spmd.rank() % width;
    var ownLane = columnOfBlocks % lanes;
    row = spmd.split(rowOfBlocks);
    lane = spmd.split(rowOfBlocks * lanes + ownLane);
    opposite = columnOfBlocks / lanes * width + rowOfBlocks * lanes + ownLane;

    var all = Slice.of(new double[problem.order]);
    var column = all.block(columnOfBlocks, width);
    var first = all.block(rowOfBlocks * lanes, width);
    var last = all.block(rowOfBlocks * lanes + lanes - 1, width);
    var rows = last.offset() + last.length() - first.offset();
    matrix =
        new MatrixGenerator(problem).matrix(first.offset(), rows, column.offset(), column.length());
    columns = column.length();

    var product = Slice.of(new double[rows]);
    if (lanes == 1) {
      own = product;
      neighbours = null;
      swapped = null;
    } else {
      var upper = product.from(0, first.length());
      var lower = product.from(first.length(), last.length());
      own = ownLane == 0 ? upper : lower;
      neighbours = ownLane == 0 ? lower : upper;
      swapped = Slice.of(new double[own.length()]);
    }
  }

  /** Says whether it can be had with so many members. */
  static boolean isPossible(int members) {
    return Integer.bitCount(members) == 1;
  }

  @Override
  public int length() {
    return columns;
  }

  @Override
  public void multiply(double[] vector, double[] product) {
    matrix.multiply(vector, own.array());
    if (neighbours != null) {
      addNeighbours();
    }
    if (lane.size() > 1) {
      lane.allReduce(own, Operation.SUM);
    }
    if (opposite == spmd.rank()) {
      System.arraycopy(own.array(), own.offset(), product, 0, columns);
    } else {
      spmd.exchange(opposite, own, opposite, Slice.of(product));
    }
  }

  private void addNeighbours() {
    var neighbour = spmd.rank() ^ 1;
    spmd.exchange(neighbour, neighbours, neighbour, swapped);
    var sums = own.array();
    var begin = own.offset();
    for (var i = 0; i < columns; i++) {
      sums[begin + i] += swapped.array()[i];
    }
  }

  @Override
  public double sum(double part) {
    return row.allReduce(part, Operation.SUM);
  }
}
