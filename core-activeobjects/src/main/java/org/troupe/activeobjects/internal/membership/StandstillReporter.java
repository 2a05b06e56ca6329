package org.troupe.activeobjects.internal.membership;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.internal.body.FailureReporter;

/**
 * Checks at intervals that the virtual threads of this JVM get carriers, and reports when requests
 * have not been served for longer than the allowed silence.
 */
final class StandstillReporter {

  private final FailureReporter failures;
  private final long allowedNanos;
  private volatile CarrierWatchdog watchdog;
  private boolean hasReported; // the current trouble; accessed only by the timer
  private volatile boolean hasStopped;

  StandstillReporter(FailureReporter failures, long allowedNanos, CarrierWatchdog watchdog) {
    this.failures = failures;
    this.allowedNanos = allowedNanos;
    this.watchdog = watchdog;
  }

  void start(ScheduledExecutorService timer) {
    timer.schedule(() -> run(timer), watchdog.nanosToNextCheck(), TimeUnit.NANOSECONDS);
  }

  private void run(ScheduledExecutorService timer) {
    if (!hasStopped) {
      check();
      start(timer);
    }
  }

  void stop() {
    hasStopped = true;
  }

  /** Replaces the watchdog by one that is checked by hand, and checks it. */
  void watch(CarrierWatchdog other) {
    watchdog = other;
    check();
  }

  private void check() {
    watchdog.check();
    var trouble = trouble();
    if (!trouble.isEmpty() && !hasReported) {
      failures.reportStandstill(trouble);
    }
    hasReported = !trouble.isEmpty();
  }

  /**
   * Returns what has prevented this node from serving requests for longer than the allowed silence,
   * or an empty text.
   */
  String trouble() {
    return watchdog.trouble(allowedNanos);
  }
}
