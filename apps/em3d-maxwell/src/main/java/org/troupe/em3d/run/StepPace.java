package org.troupe.em3d.run;

import java.util.Arrays;

/** The times at which a segment passed its first reports, from which its warm-up is judged. */
final class StepPace {

  /** Enough to find the usual time of a step; limits the memory of a long run. */
  private static final int MOST_INTERVALS = 4096;

  /** An interval whose steps take at most this much longer than usual ends the warm-up. */
  private static final double USUAL = 1.25;

  private final double[] nanosPerStep = new double[MOST_INTERVALS];
  private final long[] ends = new long[MOST_INTERVALS];
  private int intervals;
  private long began;
  private int lastStep = -1; // -1: no report yet
  private long lastNanos;

  /** Takes the time at which the steps began. */
  void begin(long nanoTime) {
    began = nanoTime;
  }

  /** Takes the time at which all sub-domains had passed a step. */
  void pass(int step, long nanoTime) {
    if (lastStep >= 0 && step > lastStep && intervals < MOST_INTERVALS) {
      nanosPerStep[intervals] = (double) (nanoTime - lastNanos) / (step - lastStep);
      ends[intervals++] = nanoTime;
    }
    lastStep = step;
    lastNanos = nanoTime;
  }

  /**
   * Returns the time from the beginning to the end of the first interval whose steps took about the
   * median time; 0 if no interval has ended.
   */
  long warmUpNanos() {
    if (intervals == 0) {
      return 0;
    }
    var sorted = Arrays.copyOf(nanosPerStep, intervals);
    Arrays.sort(sorted);
    var usual = sorted[intervals / 2] * USUAL;
    var first = 0;
    while (nanosPerStep[first] > usual) {
      first++;
    }
    return ends[first] - began;
  }
}
