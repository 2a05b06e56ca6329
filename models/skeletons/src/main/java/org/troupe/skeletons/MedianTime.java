package org.troupe.skeletons;

import java.util.Arrays;

/** The median of the last times. Touched by one thread. */
final class MedianTime {

  private static final int MOST = 101;
  private static final int FEWEST = 3;

  private final long[] last = new long[MOST];
  private long count;

  void add(long nanos) {
    last[(int) (count++ % MOST)] = nanos;
  }

  /** Returns whether there are enough times to know what is slow. */
  boolean isKnown() {
    return count >= FEWEST;
  }

  long nanos() {
    var sorted = Arrays.copyOf(last, (int) Math.min(count, MOST));
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
