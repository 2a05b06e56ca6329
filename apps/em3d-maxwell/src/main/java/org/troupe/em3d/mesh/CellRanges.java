package org.troupe.em3d.mesh;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Work on all cells of a sub-domain by all processors of its JVM, in ranges whose length does not
 * depend on the number of processors.
 */
public final class CellRanges {

  /** The cells of a range: enough to repay the hand-over to another thread. */
  private static final int LENGTH = 8192;

  private CellRanges() {}

  /** Work on some cells. */
  @FunctionalInterface
  public interface Work {

    /** Processes the cells from..to-1; at the same time as other ranges. */
    void process(int from, int to);
  }

  /** Work on some cells with a result. */
  @FunctionalInterface
  public interface Question<R> {

    /** Processes the cells from..to-1; at the same time as other ranges. */
    R answer(int from, int to);
  }

  /** Processes all ranges and waits for them; rethrows an exception of one. */
  public static void process(int cells, Work work) {
    if (cells <= LENGTH) {
      work.process(0, cells);
      return;
    }
    IntStream.range(0, ranges(cells))
        .parallel()
        .forEach(range -> work.process(start(range, cells), start(range + 1, cells)));
  }

  /** Processes all ranges; returns their results in order. */
  public static <R> List<R> answers(int cells, Question<R> question) {
    return IntStream.range(0, ranges(cells))
        .parallel()
        .mapToObj(range -> question.answer(start(range, cells), start(range + 1, cells)))
        .toList();
  }

  private static int ranges(int cells) {
    return Math.max(1, (cells + LENGTH - 1) / LENGTH);
  }

  private static int start(int range, int cells) {
    return (int) Math.min(cells, (long) range * LENGTH);
  }
}
