package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

  @Test
  void aBucketIsAtMostAnEighthOfItsValuesWide() {
    var random = new Random(1);
    for (var i = 0; i < 100_000; i++) {
      var nanos = 64 + (random.nextLong() >>> 25 + random.nextInt(33));
      var longest = LatencyHistogram.longest(LatencyHistogram.bucket(nanos));
      assertThat(longest).isBetween(nanos, nanos + nanos / 8);
    }
  }

  @Test
  void bucketsFollowEachOther() {
    for (var bucket = 0; bucket < 272; bucket++) {
      var longest = LatencyHistogram.longest(bucket);
      assertThat(LatencyHistogram.bucket(longest)).isEqualTo(bucket);
      assertThat(LatencyHistogram.bucket(longest + 1)).isEqualTo(bucket + 1);
    }
  }

  @Test
  void durationsBeyondTheEndsAreInTheOuterBuckets() {
    assertThat(LatencyHistogram.bucket(0)).isZero();
    assertThat(LatencyHistogram.bucket(Long.MAX_VALUE)).isEqualTo(272);
  }

  @Test
  void summarisesSeveralDistributionsTogether() {
    var one = new LatencyHistogram();
    var other = new LatencyHistogram();
    for (var i = 0; i < 99; i++) {
      one.record(1_000, 1);
    }
    other.record(1_000_000, 1);

    var summary = LatencyHistogram.summary(List.of(one, other));

    assertThat(summary.samples()).isEqualTo(100);
    assertThat(summary.medianNanos()).isBetween(1_000L, 1_125L);
    assertThat(summary.p99Nanos()).isBetween(1_000L, 1_125L);
    assertThat(summary.mostNanos()).isBetween(1_000_000L, 1_125_000L);
  }

  @Test
  void aDurationStandsForAsManyRequestsAsItsWeight() {
    var histogram = new LatencyHistogram();
    histogram.record(1_000, 64);
    histogram.record(1_000_000, 1);

    var summary = LatencyHistogram.summary(List.of(histogram));

    assertThat(summary.samples()).isEqualTo(65);
    assertThat(summary.medianNanos()).isLessThan(2_000);
  }

  @Test
  void nothingHasNoSummary() {
    assertThat(LatencyHistogram.summary(List.of(new LatencyHistogram())))
        .isEqualTo(LatencyHistogram.Summary.NONE);
  }
}
