package org.troupe.classics.fft;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The transforms of a member's part of a signal that is stored as a square matrix, row by row. The
 * sequential version is a single member, which has nothing to exchange.
 *
 * <p>The transform of the whole signal consists of the transforms of the columns, a multiplication
 * by roots of unity, and the transforms of the rows; the result is read column by column.
 *
 * <p>A member has as many rows as columns. Both are stored as square blocks, each row by row: its
 * rows as one block for the columns of each member, its columns as one block from the rows of each.
 * So the data for another member is contiguous.
 *
 * @see "D. H. Bailey, FFTs in external or hierarchical memory, The Journal of Supercomputing 4(1),
 *     1990"
 */
final class SignalPart {

  private final int side;
  private final int count; // rows of this member, and columns
  private final SignalBatch lines;
  private final ComplexSignal[] lineFactors; // by row: for each line of a batch
  private final ComplexSignal[] commonFactors; // by batch and row: for all its lines

  /**
   * Computes the roots of unity.
   *
   * @param side the rows and columns of the whole matrix
   * @param first the first column of this member
   * @param count the number of its columns
   */
  SignalPart(int side, int first, int count) {
    this.side = side;
    this.count = count;
    lines = new SignalBatch(side, Math.min(count, SignalBatch.MOST));
    // As in full batches, so that no result depends on the number of members.
    var within = first % SignalBatch.MOST;
    var points = side * side;
    lineFactors = new ComplexSignal[side];
    Arrays.setAll(lineFactors, row -> ComplexSignal.roots(points, row, within, lines.count()));
    commonFactors = new ComplexSignal[count / lines.count()];
    Arrays.setAll(
        commonFactors,
        i -> ComplexSignal.roots(points, first - within + i * lines.count(), 0, side));
  }

  /** Returns blocks of zeros. */
  ComplexSignal[] empty() {
    return Stream.generate(() -> ComplexSignal.zero(count * count))
        .limit(side / count)
        .toArray(ComplexSignal[]::new);
  }

  /** Cuts rows into blocks. */
  void cut(ComplexSignal rows, ComplexSignal[] blocks) {
    for (var member = 0; member < blocks.length; member++) {
      for (var row = 0; row < count; row++) {
        rows.copy(row * side + member * count, blocks[member], row * count, count);
      }
    }
  }

  /** Joins blocks to rows. */
  ComplexSignal join(ComplexSignal[] blocks) {
    var rows = ComplexSignal.zero(count * side);
    for (var member = 0; member < blocks.length; member++) {
      for (var row = 0; row < count; row++) {
        blocks[member].copy(row * count, rows, row * side + member * count, count);
      }
    }
    return rows;
  }

  /** Transforms the columns and multiplies the result by the roots of unity. */
  void transformColumns(ComplexSignal[] blocks) {
    for (var i = 0; i < commonFactors.length; i++) {
      var first = i * lines.count();
      for (var row = 0; row < side; row++) {
        lines.load(row, blocks[row / count], row % count * count + first);
      }
      lines.transform();
      for (var row = 0; row < side; row++) {
        lines.twiddle(
            row, lineFactors[row], commonFactors[i].re()[row], commonFactors[i].im()[row]);
        lines.store(row, blocks[row / count], row % count * count + first);
      }
    }
  }

  /**
   * Transforms the rows.
   *
   * @param from the blocks of the rows
   * @param to receives the blocks of the result, which is read by columns
   */
  void transformRows(ComplexSignal[] from, ComplexSignal[] to) {
    for (var first = 0; first < count; first += lines.count()) {
      for (var member = 0; member < from.length; member++) {
        for (var line = 0; line < lines.count(); line++) {
          lines.loadLine(line, member * count, from[member], (first + line) * count, count);
        }
      }
      lines.transform();
      for (var row = 0; row < side; row++) {
        lines.store(row, to[row / count], row % count * count + first);
      }
    }
  }
}
