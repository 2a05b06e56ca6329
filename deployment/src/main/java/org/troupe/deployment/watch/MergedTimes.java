package org.troupe.deployment.watch;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The common distribution of durations that several nodes have measured. */
final class MergedTimes {

  /*
   * A node reports three points of its distribution: the median, the 99th percentile and the maximum. Between them it is taken to be
   * log-normal, as durations of requests mostly are: the logarithm of the duration is linear in the standard score of its share. Below the
   * median it goes on as above. The common function is the mean of those of the nodes, weighted by their samples, and a quantile is
   * where it reaches a share. So the result is exact for nodes that are alike, and never outside of the range that they have
   * reported; a node with few slow requests does not hide many fast ones.
   */
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;
  private static final double SCORE_OF_P99 = 2.3263;
  private static final int STEPS = 60; // of a bisection

  private MergedTimes() {}

  /** Returns the common times; {@code null} if none were measured. */
  static WatchRecord.@Nullable Times of(List<WatchRecord.@Nullable Times> all) {
    var known = all.stream().filter(Objects::nonNull).filter(each -> each.samples() > 0).toList();
    if (known.size() <= 1) {
      return known.isEmpty() ? null : known.getFirst();
    }
    return new WatchRecord.Times(
        known.stream().mapToLong(WatchRecord.Times::samples).sum(),
        quantile(known, MEDIAN, WatchRecord.Times::median),
        quantile(known, P99, WatchRecord.Times::p99),
        known.stream().mapToDouble(WatchRecord.Times::most).max().orElse(0));
  }

  /** Returns where the common function reaches a share, between the quantiles of the nodes. */
  private static double quantile(
      List<WatchRecord.Times> all, double share, ToDoubleFunction<WatchRecord.Times> ofNode) {
    var low = all.stream().mapToDouble(ofNode).min().orElse(0);
    var high = all.stream().mapToDouble(ofNode).max().orElse(0);
    var samples = all.stream().mapToDouble(WatchRecord.Times::samples).sum();
    for (var i = 0; i < STEPS && low < high; i++) {
      var middle = low > 0 ? Math.sqrt(low * high) : high / 2;
      var below = 0.0;
      for (var each : all) {
        below += each.samples() * shareBelow(each, middle);
      }
      if (below < share * samples) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Returns the share of the durations of a node that are at most as long. */
  private static double shareBelow(WatchRecord.Times times, double duration) {
    if (duration >= times.most()) {
      return 1;
    }
    if (duration < times.p99()) {
      return share(score(duration, times.median(), 0, times.p99(), SCORE_OF_P99));
    }
    var last = 1.0 / times.samples();
    var score = scoreOf(1 - Math.min(1 - P99, last));
    return share(score(duration, times.p99(), SCORE_OF_P99, times.most(), score));
  }

  /** Returns the standard score of a duration, on the line through two others. */
  private static double score(
      double duration, double one, double scoreOfOne, double other, double scoreOfOther) {
    if (one <= 0 || other <= one) { // a step
      return duration < one ? Double.NEGATIVE_INFINITY : scoreOfOther;
    }
    return scoreOfOne
        + Math.log(duration / one) / Math.log(other / one) * (scoreOfOther - scoreOfOne);
  }

  /**
   * Returns the share of a normal distribution below a standard score, within 1e-7.
   *
   * @see "M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, formula 26.2.17"
   */
  private static double share(double score) {
    var t = 1 / (1 + 0.2316419 * Math.abs(score));
    var polynomial =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    var above = Math.exp(-score * score / 2) / Math.sqrt(2 * Math.PI) * polynomial;
    return score >= 0 ? 1 - above : above;
  }

  /** Returns the standard score above the median that a share has. */
  private static double scoreOf(double share) {
    var low = 0.0;
    var high = 8.0;
    for (var i = 0; i < STEPS; i++) {
      var middle = (low + high) / 2;
      if (share(middle) < share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
