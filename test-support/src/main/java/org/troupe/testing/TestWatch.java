package org.troupe.testing;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Knows the test that runs and raises an alarm, once, when it has run for longer than a limit. */
final class TestWatch {

  private record Running(String test, long since) {}

  private final Duration limit;
  private final BiConsumer<String, Duration> alarm;
  private volatile @Nullable Running running;

  /**
   * @param alarm takes the name of the test and the time for which it has run
   */
  TestWatch(Duration limit, BiConsumer<String, Duration> alarm) {
    this.limit = limit;
    this.alarm = alarm;
  }

  /**
   * @param now in nanoseconds of {@link System#nanoTime}, as below
   */
  void begin(String test, long now) {
    running = new Running(test, now);
  }

  void end() {
    running = null;
  }

  void check(long now) {
    var test = running;
    if (test != null && now - test.since > limit.toNanos()) {
      running = null;
      alarm.accept(test.test, Duration.ofNanos(now - test.since));
    }
  }
}
