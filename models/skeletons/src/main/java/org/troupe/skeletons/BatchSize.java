package org.troupe.skeletons;

/**
 * How many inputs a worker takes at a time: as many as take some ten round trips between nodes, so
 * that small inputs do not cost a round trip each.
 */
final class BatchSize {

  private static final double TARGET_NANOS = 1e6;

  /** With 256, a farm of empty inputs on two nodes reached less than half of the rate. */
  private static final int MOST = 1024;

  private static final double WEIGHT_OF_LAST = 0.25;

  private double nanosPerInput = TARGET_NANOS;
  private int size = 1;

  int get() {
    return size;
  }

  /** Takes into account how long a batch has taken. */
  void add(long nanos, int inputs) {
    nanosPerInput += WEIGHT_OF_LAST * (Math.max(1, nanos) / (double) inputs - nanosPerInput);
    var wanted = Math.clamp((long) (TARGET_NANOS / nanosPerInput), 1, MOST);
    size = Math.min(wanted, 2 * size); // the first inputs may be odd ones
  }
}
