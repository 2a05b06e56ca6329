package org.troupe.classics.fft;

import java.util.Arrays;

/**
 * What a member does with its part of a signal that is written, row by row, as a square matrix. The
 * sequential version is a member alone, with nothing to exchange.
 *
 * <p>To transform the columns, turn each number by a root of unity, transform the rows, and read
 * the result column by column, is to transform the whole.
 *
 * <p>A member has as many rows as columns. While it has columns, they are kept row by row, so what
 * it has for another, or from another, is a square block in one stretch.
 *
 * @see "D. H. Bailey, FFTs in external or hierarchical memory, The Journal of Supercomputing 4(1),
 *     1990"
 */
final class Part {

  private final int side;
  private final int count; // of its rows, and of its columns
  private final Lines lines;
  private final Signal[] turns; // by row: the roots of lines, each apart from
  private final Signal[] starts; // by lines, row: the root that all of them have in common

  /**
   * Prepares.
   *
   * @param first of the columns
   */
  Part(int side, int first, int count) {
    this.side = side;
    this.count = count;
    lines = new Lines(side, Math.min(count, Lines.MOST));
    var within = first % Lines.MOST; // as if there were so many: each number has the same bits
    var points = side * side;
    turns = new Signal[side];
    Arrays.setAll(turns, row -> Signal.roots(points, row, within, lines.count()));
    starts = new Signal[count / lines.count()];
    Arrays.setAll(starts, i -> Signal.roots(points, first - within + i * lines.count(), 0, side));
  }

  /** Orders rows by the members that are to have their columns. */
  void pack(Signal from, Signal to) {
    for (var member = 0; member < side / count; member++) {
      for (var row = 0; row < count; row++) {
        from.copy(row * side + member * count, to, (member * count + row) * count, count);
      }
    }
  }

  /** Makes rows of what other members had of them. */
  void unpack(Signal from, Signal to) {
    for (var member = 0; member < side / count; member++) {
      for (var row = 0; row < count; row++) {
        from.copy((member * count + row) * count, to, row * side + member * count, count);
      }
    }
  }

  /** Transforms columns and turns what comes out, for the transform of rows. */
  void transformColumns(Signal from, Signal to) {
    for (var i = 0; i < starts.length; i++) {
      var first = i * lines.count();
      for (var row = 0; row < side; row++) {
        lines.load(row, from, row * count + first);
      }
      lines.transform();
      for (var row = 0; row < side; row++) {
        lines.turn(row, turns[row], starts[i].re()[row], starts[i].im()[row]);
        lines.store(row, to, row * count + first);
      }
    }
  }

  /** Transforms rows, of which each member had a block, into columns. */
  void transformRows(Signal from, Signal to) {
    for (var first = 0; first < count; first += lines.count()) {
      for (var member = 0; member < side / count; member++) {
        for (var line = 0; line < lines.count(); line++) {
          lines.loadLine(
              line, member * count, from, (member * count + first + line) * count, count);
        }
      }
      lines.transform();
      for (var row = 0; row < side; row++) {
        lines.store(row, to, row * count + first);
      }
    }
  }
}
