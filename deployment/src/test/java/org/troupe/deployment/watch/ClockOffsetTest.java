package org.troupe.deployment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetTest {

  private final ClockOffset clock = new ClockOffset();

  @Test
  void theShortestRoundTripCounts() {
    clock.add(1_000, 51_100, 1_200); // 50,000 ahead, read in the middle
    clock.add(2_000, 52_900, 3_000); // late answer

    assertThat(clock.best()).isEqualTo(new ClockOffset.Estimate(50_000, 100));
  }

  @Test
  void theErrorBoundsTheOffsetWhereverTheClockWasRead() {
    for (var read = 0; read <= 100; read++) {
      var one = new ClockOffset();
      one.add(1_000, 7_000 + 1_000 + read, 1_100);
      var best = one.best();
      assertThat(Math.abs(best.offsetNanos() - 7_000)).isLessThanOrEqualTo(best.errorNanos());
    }
  }

  @Test
  void oldRoundTripsAreForgotten() {
    clock.add(0, 0, 2);
    for (var i = 0; i < 16; i++) {
      clock.add(0, 500, 1_000);
    }
    assertThat(clock.best().errorNanos()).isEqualTo(500);
  }

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(clock.best()).isNull();
  }
}
