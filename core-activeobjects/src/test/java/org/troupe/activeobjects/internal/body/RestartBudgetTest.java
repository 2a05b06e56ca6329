package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.Restart;

class RestartBudgetTest {

  private static final double NO_JITTER = 0.5;

  private static long millis(OptionalLong nanos) {
    return Duration.ofNanos(nanos.orElseThrow()).toMillis();
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void pausesDoubleFrom100MillisecondsTo10Seconds() {
    var budget = new RestartBudget(Restart.here().times(100, Duration.ofMinutes(1)));
    var expected = new long[] {100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000};
    for (var i = 0; i < expected.length; i++) {
      assertThat(millis(budget.failed(seconds(i), "it", NO_JITTER))).isEqualTo(expected[i]);
    }
  }

  @Test
  void pausesVaryBy20Percent() {
    assertThat(millis(new RestartBudget(Restart.here()).failed(0, "it", 0))).isEqualTo(80);
    assertThat(millis(new RestartBudget(Restart.here()).failed(0, "it", 1))).isEqualTo(120);
  }

  @Test
  void pausesBeginAnewAfterAMinuteWithoutFailure() {
    var budget = new RestartBudget(Restart.here());
    var start = Long.MAX_VALUE - seconds(10); // the clock may overflow
    budget.failed(start, "it", NO_JITTER);
    assertThat(millis(budget.failed(start + seconds(59), "it", NO_JITTER))).isEqualTo(200);
    assertThat(millis(budget.failed(start + seconds(119), "it", NO_JITTER))).isEqualTo(100);
  }

  @Test
  void theSixthFailureWithinAMinuteIsTheLast() {
    var budget = new RestartBudget(Restart.here());
    for (var i = 0; i < 5; i++) {
      assertThat(budget.failed(seconds(10L * i), "one", NO_JITTER)).isPresent();
    }
    assertThat(budget.failed(seconds(59), "two", NO_JITTER)).isEmpty();
    assertThat(budget.causes()).isEqualTo("one x5; two");
  }

  @Test
  void failuresLongAgoDoNotCount() {
    var budget = new RestartBudget(Restart.here());
    for (var i = 0; i < 100; i++) {
      assertThat(budget.failed(seconds(12L * i), "it", NO_JITTER)).isPresent();
    }
    assertThat(budget.count()).isEqualTo(5);
  }

  @Test
  void theListOfCausesIsBounded() {
    var budget = new RestartBudget(Restart.here().times(100, Duration.ofMinutes(1)));
    for (var i = 0; i < 20; i++) {
      budget.failed(i, "cause " + i, NO_JITTER);
    }
    assertThat(budget.causes()).startsWith("cause 0; cause 1; ").endsWith("cause 7 ...");
  }
}
