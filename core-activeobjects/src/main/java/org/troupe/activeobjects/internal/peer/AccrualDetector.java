package org.troupe.activeobjects.internal.peer;

import java.util.Locale;

/**
 * Estimates from the intervals between signs of life whether a silence means that a node has
 * failed. Confined to one thread at a time.
 */
public final class AccrualDetector {

  /*
   * Design: an accrual failure detector [1]
   *
   * Intervals between signs of life are assumed to be normally distributed, and phi is -log10 of the probability
   * that a silence as long as the present one ends by itself. On a steady link phi exceeds the limit soon and
   * the allowed silence decides. Where signs of life have been irregular, because of a slow network or long
   * garbage collections, phi extends the allowed silence.
   *
   * [1] N. Hayashibara et al., The phi accrual failure detector, SRDS 2004.
   */
  private static final double LIMIT = 8; // one false alarm in 10^8
  private static final double LARGEST =
      300; // smaller probabilities cannot be represented by a double
  private static final int REMEMBERED = 100;

  /** The limit on the extension, however irregular the signs of life have been. */
  private static final int MOST_SILENCES = 4;

  private final double[] intervals = new double[REMEMBERED]; // in nanoseconds, a ring
  private int count;
  private double sum;
  private double sumOfSquares;
  private long lastHeardNanos;
  private boolean hasHeard;

  /** Records when the node was last heard; ignores a time that was recorded before. */
  void heard(long atNanos) {
    if (hasHeard && atNanos != lastHeardNanos) {
      add(atNanos - lastHeardNanos);
    }
    hasHeard = true;
    lastHeardNanos = atNanos;
  }

  private void add(double interval) {
    var at = count % REMEMBERED;
    if (count >= REMEMBERED) {
      sum -= intervals[at];
      sumOfSquares -= intervals[at] * intervals[at];
    }
    intervals[at] = interval;
    sum += interval;
    sumOfSquares += interval * interval;
    count++;
  }

  private int known() {
    return Math.min(count, REMEMBERED);
  }

  private double mean() {
    return known() == 0 ? 0 : sum / known();
  }

  /**
   * The least deviation, as a fraction of the mean: after perfectly regular intervals, a small
   * delay must not raise suspicion.
   */
  private double deviation() {
    if (known() == 0) {
      return 0;
    }
    var variance = Math.max(0, sumOfSquares / known() - mean() * mean());
    return Math.max(Math.sqrt(variance), mean() / 4);
  }

  /** Returns phi: how unlikely it is, in powers of ten, that a silence ends by itself. */
  double phi(long silenceNanos) {
    if (known() == 0) {
      return LARGEST;
    }
    var y = (silenceNanos - mean()) / Math.max(1, deviation());
    // Logistic approximation of the normal distribution's tail.
    var e = Math.exp(-y * (1.5976 + 0.070566 * y * y));
    var later = y > 0 ? e / (1 + e) : 1 - 1 / (1 + e);
    return later <= 0 ? LARGEST : Math.min(LARGEST, -Math.log10(later));
  }

  /**
   * Returns whether a silence means that the node has failed.
   *
   * @param allowedNanos the silence that is always allowed
   */
  public boolean isOver(long silenceNanos, long allowedNanos) {
    return silenceNanos > allowedNanos
        && (phi(silenceNanos) > LIMIT || silenceNanos > MOST_SILENCES * allowedNanos);
  }

  /** Returns the evidence, in words. */
  public String evidence(long silenceNanos) {
    return known() == 0
        ? "it has not been heard for %.1f s".formatted(silenceNanos / 1e9)
        : String.format(
            Locale.ROOT,
            "it has not been heard for %.1f s, though usually every %.1f s (+- %.1f s; phi %.0f)",
            silenceNanos / 1e9,
            mean() / 1e9,
            deviation() / 1e9,
            phi(silenceNanos));
  }
}
