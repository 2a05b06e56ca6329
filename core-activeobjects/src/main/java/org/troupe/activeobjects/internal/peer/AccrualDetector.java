package org.troupe.activeobjects.internal.peer;

import java.util.Locale;

/** How regularly another node is heard, and how odd a silence is. For one thread at a time. */
public final class AccrualDetector {

  /*
   * An accrual failure detector [1]: intervals between signs of life are taken as normally distributed, and phi is
   * -log10 of the chance that a silence as long as the present one ends by itself. On a steady link phi passes the
   * limit soon and the allowed silence decides; where signs have been coming late, through a slow network or long
   * garbage collections, phi asks for more patience than that.
   *
   * [1] N. Hayashibara et al., The phi accrual failure detector, SRDS 2004.
   */
  private static final double LIMIT = 8; // one false alarm in 10^8
  private static final double LARGEST = 300; // what follows has no chance that a double could tell
  private static final int REMEMBERED = 100;

  /** Patience ends somewhere, however late signs have been. */
  private static final int MOST_SILENCES = 4;

  private final double[] intervals = new double[REMEMBERED]; // in nanoseconds, a ring
  private int count;
  private double sum;
  private double sumOfSquares;
  private long lastHeardNanos;
  private boolean hasHeard;

  /** Notes when the node was last heard; the same time again is no news. */
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

  /** How sure it is, in powers of ten, that a silence will not end by itself. */
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
   * Says whether a silence means that the node is gone.
   *
   * @param allowedNanos shorter ones never do
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
