package org.troupe.classics.cg;

import org.jspecify.annotations.Nullable;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/**
 * A block of a matrix, with the part of each vector that belongs to its columns; all members of a
 * column of blocks have equal parts.
 */
final class MatrixBlock implements LinearOperator {

  /*
   * As in the benchmark's own programs, there are as many columns of blocks as rows, or twice as many.
   * A product is summed along each row of blocks, and is needed by columns, so it is sent to the member
   * on the other side of the diagonal. With twice as many columns, a row of blocks is as high as two
   * columns are wide: neighbours first swap halves, then the even and the odd columns each sum one
   * half.
   */

  private final Spmd<?> spmd;
  private final Spmd<?> row; // the members that share the rows here
  private final Spmd<?> sameParity; // those of them that sum the same half of the product
  private final int opposite;
  private final SparseMatrix matrix;
  private final int columns;
  private final Slice<double[]> own; // the half that this member sums
  private final @Nullable Slice<double[]> neighbours; // the neighbour's half, if any
  private final @Nullable Slice<double[]> swapped; // receives the neighbour's part of this half

  MatrixBlock(NasProblemClass problem, Spmd<?> spmd) {
    this.spmd = spmd;
    var height = 1 << Integer.numberOfTrailingZeros(spmd.size()) / 2;
    var width = spmd.size() / height;
    var parities = width / height;
    var rowOfBlocks = spmd.rank() / width;
    var columnOfBlocks = spmd.rank() % width;
    var ownParity = columnOfBlocks % parities;
    row = spmd.split(rowOfBlocks);
    sameParity = spmd.split(rowOfBlocks * parities + ownParity);
    opposite = columnOfBlocks / parities * width + rowOfBlocks * parities + ownParity;

    var all = Slice.of(new double[problem.order]);
    var column = all.block(columnOfBlocks, width);
    var first = all.block(rowOfBlocks * parities, width);
    var last = all.block(rowOfBlocks * parities + parities - 1, width);
    var rows = last.offset() + last.length() - first.offset();
    matrix =
        new MatrixGenerator(problem).matrix(first.offset(), rows, column.offset(), column.length());
    columns = column.length();

    var product = Slice.of(new double[rows]);
    if (parities == 1) {
      own = product;
      neighbours = null;
      swapped = null;
    } else {
      var upper = product.from(0, first.length());
      var lower = product.from(first.length(), last.length());
      own = ownParity == 0 ? upper : lower;
      neighbours = ownParity == 0 ? lower : upper;
      swapped = Slice.of(new double[own.length()]);
    }
  }

  /** Returns whether the blocks can be distributed over a number of members. */
  static boolean isDivisibleAmong(int members) {
    return Integer.bitCount(members) == 1;
  }

  @Override
  public int length() {
    return columns;
  }

  @Override
  public void multiply(double[] vector, double[] product) {
    matrix.multiply(vector, own.array());
    if (neighbours != null && swapped != null) {
      addNeighbours(neighbours, swapped);
    }
    if (sameParity.size() > 1) {
      sameParity.allReduce(own, Operation.SUM);
    }
    if (opposite == spmd.rank()) {
      System.arraycopy(own.array(), own.offset(), product, 0, columns);
    } else {
      spmd.exchange(opposite, own, opposite, Slice.of(product));
    }
  }

  private void addNeighbours(Slice<double[]> neighbours, Slice<double[]> swapped) {
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
