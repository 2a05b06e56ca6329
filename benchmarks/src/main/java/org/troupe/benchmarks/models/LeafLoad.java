package org.troupe.benchmarks.models;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A kind of leaves, and how many a tree has. */
enum LeafLoad implements Leaf {
  /** Each leaf computes for some two milliseconds. */
  COARSE(512),

  /** The last leaves compute some fifty times as long as the first. */
  IRREGULAR(512),

  /**
   * Each leaf waits for two milliseconds, so that the time of a tree depends on the number of
   * workers and not on that of processors.
   */
  WAITING(4_000);

  private static final int COARSE_ORDER = 27;
  private static final int LEAST_ORDER = 20;
  private static final int ORDERS = 9;
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int leaves;

  LeafLoad(int leaves) {
    this.leaves = leaves;
  }

  int leaves() {
    return leaves;
  }

  /** Returns the sum of the results of all leaves. */
  long total() {
    return switch (this) {
      case COARSE -> leaves * quickly(COARSE_ORDER);
      case IRREGULAR -> IntStream.range(0, leaves).mapToLong(each -> quickly(order(each))).sum();
      case WAITING -> leaves;
    };
  }

  @Override
  public long run(int index) {
    return switch (this) {
      case COARSE -> fibonacci(COARSE_ORDER);
      case IRREGULAR -> fibonacci(order(index));
      case WAITING -> waited();
    };
  }

  private int order(int index) {
    return LEAST_ORDER + index * ORDERS / leaves;
  }

  private static long fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  private static long quickly(int n) {
    var next = 1L;
    var current = 0L;
    for (var i = 0; i < n; i++) {
      var sum = current + next;
      current = next;
      next = sum;
    }
    return current;
  }

  private static long waited() {
    var end = System.nanoTime() + WAIT_NANOS;
    for (var left = WAIT_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return 1;
  }
}
