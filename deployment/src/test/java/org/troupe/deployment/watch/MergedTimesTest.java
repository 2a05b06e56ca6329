package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The times of several nodes make a common distribution. */
class MergedTimesTest {

  private static WatchRecord.Times merged(WatchRecord.Times... all) {
    return MergedTimes.of(Arrays.asList(all));
  }

  private static WatchRecord.Times times(double[] sorted) {
    return new WatchRecord.Times(
        sorted.length,
        sorted[sorted.length / 2],
        sorted[sorted.length * 99 / 100],
        sorted[sorted.length - 1]);
  }

  /** Returns sorted durations around a median, as those of requests are: with a long tail. */
  private static double[] durations(long seed, int count, double median) {
    var random = new Random(seed);
    return DoubleStream.generate(() -> median * Math.exp(random.nextGaussian() * 0.7))
        .limit(count)
        .sorted()
        .toArray();
  }

  @Test
  void nodesThatAreAlikeHaveTheirCommonTimes() {
    var one = new WatchRecord.Times(100, 2e-6, 9e-6, 1e-3);

    assertThat(merged(one, null)).isEqualTo(one);
    assertThat(merged(one, one).median()).isCloseTo(2e-6, within(1e-9));
    assertThat(merged(one, one).p99()).isCloseTo(9e-6, within(1e-8));
    assertThat(merged(one, one).samples()).isEqualTo(200);
    assertThat(merged(null, null)).isNull();
  }

  @Test
  void aNodeWithFewSlowRequestsDoesNotHideManyFastOnes() {
    var fast = new WatchRecord.Times(1_000_000, 2e-6, 9e-6, 1e-4);
    var slow = new WatchRecord.Times(10, 1, 2, 3);
    var both = merged(fast, slow);

    assertThat(both.median()).isCloseTo(2e-6, within(1e-7));
    assertThat(both.p99()).isCloseTo(9e-6, within(1e-6));
    assertThat(both.most()).isEqualTo(3);
  }

  @Test
  void quantilesOfDifferentNodesAreNearThoseOfAllTheirRequests() {
    var one = durations(1, 20_000, 1e-5);
    var two = durations(2, 10_000, 3e-5);
    var three = durations(3, 5_000, 1e-4);
    var all = Stream.of(one, two, three).flatMapToDouble(Arrays::stream).sorted().toArray();
    var exact = times(all);
    var merged = merged(times(one), times(two), times(three));

    assertThat(merged.median()).isBetween(exact.median() / 1.3, exact.median() * 1.3);
    assertThat(merged.p99()).isBetween(exact.p99() / 1.3, exact.p99() * 1.3);
    assertThat(merged.most()).isEqualTo(exact.most());
  }
}
