package org.troupe.opentelemetry.internal;

import java.util.concurrent.TimeUnit;

/** Bounds how many events are recorded in a second. Thread-safe. */
final class EventBudget {

  private final long mostPerSecond;
  private long second; // guarded by this, as all
  private long taken;

  EventBudget(long mostPerSecond) {
    this.mostPerSecond = mostPerSecond;
  }

  /** Returns whether one more event may be recorded now. */
  synchronized boolean take(long nowNanos) {
    var current = TimeUnit.NANOSECONDS.toSeconds(nowNanos);
    if (current != second) {
      second = current;
      taken = 0;
    }
    return taken++ < mostPerSecond;
  }
}
