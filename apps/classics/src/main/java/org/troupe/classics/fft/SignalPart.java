package org.troupe.classics.fft;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What a member does with its part of a signal that is written, row by row, as a square matrix. The
 * sequential version is a member alone, with nothing to exchange.
 *
 * <p>To transform the columns, turn each number by a root of unity, transform the rows, and read
 * the result column by column, is to transform the whole.
 *
 * <p>A member has as many rows as columns. Both are kept as square blocks, each row by row: of its
 * rows one for the columns of each member, of its columns one from the rows of each. So what
 * members have for each other is there in one stretch.
 *
 * @see "D. H. Bailey, FFTs in external or hierarchical memory, The Journal of Supercomputing 4(1),
 *     1990"
 */
final class SignalPart {

  private final int side;
  private final int count; // of its rows, and of its columns
  private final SignalBatch lines;
  private final ComplexSignal[] turns; // by row: the roots of lines, each apart from
  private final ComplexSignal[] starts; // by lines, row: the root that all of them have in common

  /**
   * Prepares.
   *
   * @param first of the columns
   */
  SignalPart(int side, int first, int count) {
    this.side = side;
    this.count = count;
    lines = new SignalBatch(side, Math.min(count, SignalBatch.MOST));
    var within =
        first % SignalBatch.MOST; // as if there were so many: each number has the same bits
    var points = side * side;
    turns = new ComplexSignal[side];
    Arrays.setAll(turns, row -> ComplexSignal.roots(points, row, within, lines.count()));
    starts = new ComplexSignal[count / lines.count()];
    Arrays.setAll(
        starts, i -> ComplexSignal.roots(points, first - within + i * lines.count(), 0, side));
  }

  /** Returns blocks to be filled. */
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

  /** Puts rows together from blocks. */
  ComplexSignal joined(ComplexSignal[] blocks) {
    var rows = ComplexSignal.zero(count * side);
    for (var member = 0; member < blocks.length; member++) {
      for (var row = 0; row < count; row++) {
        blocks[member].copy(row * count, rows, row * side + member * count, count);
      }
    }
    return rows;
  }

  /** Transforms columns and turns what comes out, for the transform of rows. */
  void transformColumns(ComplexSignal[] blocks) {
    for (var i = 0; i < starts.length; i++) {
      var first = i * lines.count();
      for (var row = 0; row < side; row++) {
        lines.load(row, blocks[row / count], row % count * count + first);
      }
      lines.transform();
      for (var row = 0; row < side; row++) {
        lines.turn(row, turns[row], starts[i].re()[row], starts[i].im()[row]);
        lines.store(row, blocks[row / count], row % count * count + first);
      }
    }
  }

  /**
   * Transforms rows.
   *
   * @param from blocks of rows
   * @param to gets blocks of the result, which is read by columns
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
