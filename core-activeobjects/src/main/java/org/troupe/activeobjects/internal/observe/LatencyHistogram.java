package org.troupe.activeobjects.internal.observe;

import java.util.concurrent.atomic.AtomicLongArray;

/** The distribution of durations, each known within an eighth. Thread-safe. */
public final class LatencyHistogram {

  /*
   * Design: log-linear buckets
   *
   * Each power of two from 64 ns on is divided into eight buckets of equal width, so a bucket is at most an eighth of its values wide.
   * The first bucket holds all that is shorter, the last one all from 1,000 s on. The counts take 2.2 KiB.
   *
   * The form is that of the histograms of HDR and of Prometheus: G. Tene, HdrHistogram, 2012.
   */
  private static final int LINEAR_BITS = 3;
  private static final int FIRST_EXPONENT = 6;
  private static final int LAST_EXPONENT = 39;
  private static final int BUCKETS = 1 + (LAST_EXPONENT - FIRST_EXPONENT + 1) * (1 << LINEAR_BITS);

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  /**
   * A summary of a distribution.
   *
   * @param samples how many durations it stands for
   * @param medianNanos half of them are at most as long
   * @param p99Nanos of a hundred, 99 are at most as long
   * @param mostNanos none of those that were timed is longer
   */
  public record Summary(long samples, long medianNanos, long p99Nanos, long mostNanos) {

    static final Summary NONE = new Summary(0, 0, 0, 0);
  }

  /**
   * Records a duration.
   *
   * @param weight how many requests it stands for
   */
  void record(long nanos, int weight) {
    counts.addAndGet(bucket(nanos), weight);
  }

  static int bucket(long nanos) {
    if (nanos < 1L << FIRST_EXPONENT) {
      return 0;
    }
    var exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (exponent > LAST_EXPONENT) {
      return BUCKETS - 1;
    }
    var part = (int) (nanos >>> exponent - LINEAR_BITS) & (1 << LINEAR_BITS) - 1;
    return 1 + (exponent - FIRST_EXPONENT << LINEAR_BITS) + part;
  }

  /** Returns the longest duration of a bucket. */
  static long longest(int bucket) {
    if (bucket == 0) {
      return (1L << FIRST_EXPONENT) - 1;
    }
    var exponent = FIRST_EXPONENT + (bucket - 1 >> LINEAR_BITS);
    var part = bucket - 1L & (1L << LINEAR_BITS) - 1;
    return ((1L << LINEAR_BITS) + part + 1 << exponent - LINEAR_BITS) - 1;
  }

  /** Returns a summary of several distributions together. */
  static Summary summary(Iterable<LatencyHistogram> all) {
    var sums = new long[BUCKETS];
    var samples = 0L;
    for (var each : all) {
      for (var i = 0; i < BUCKETS; i++) {
        var count = each.counts.get(i);
        sums[i] += count;
        samples += count;
      }
    }
    if (samples == 0) {
      return Summary.NONE;
    }
    return new Summary(
        samples,
        quantile(sums, (samples + 1) / 2),
        quantile(sums, samples - samples / 100),
        quantile(sums, samples));
  }

  /** Returns the longest duration of the bucket that holds the value of a rank, counted from 1. */
  private static long quantile(long[] sums, long rank) {
    var seen = 0L;
    for (var i = 0; i < BUCKETS; i++) {
      seen += sums[i];
      if (seen >= rank) {
        return longest(i);
      }
    }
    throw new AssertionError("rank " + rank + " of " + seen);
  }
}
