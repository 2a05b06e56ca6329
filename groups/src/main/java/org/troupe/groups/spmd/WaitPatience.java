package org.troupe.groups.spmd;

import java.util.concurrent.TimeUnit;

/** The times after which a member that waits for others logs a warning. */
final class WaitPatience {

  private WaitPatience() {}

  /** Returns the waiting time of the first warning. */
  static long nanos() {
    return TimeUnit.SECONDS.toNanos(Math.max(1, Long.getLong("troupe.groups.patience", 10)));
  }

  /** Returns the waiting time of the next warning; the intervals grow. */
  static long nextWarning(long waitedNanos) {
    return waitedNanos < nanos() ? nanos() : 2 * waitedNanos + nanos();
  }
}
