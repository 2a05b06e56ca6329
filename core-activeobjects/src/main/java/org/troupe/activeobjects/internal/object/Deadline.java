package org.troupe.activeobjects.internal.object;

import java.time.Duration;

/**
 * The time limit of an action that waits several times.
 *
 * @param began when it began, as {@link System#nanoTime} tells
 * @param nanos the whole limit
 */
public record Deadline(long began, long nanos) {

  /** Returns a limit that begins now. */
  public static Deadline in(long nanos) {
    return new Deadline(System.nanoTime(), nanos);
  }

  /** Returns how many nanoseconds are left; not positive if the time is over. */
  public long left() {
    return nanos - (System.nanoTime() - began);
  }

  public boolean isOver() {
    return left() <= 0;
  }

  /** Returns the whole limit as messages show it. */
  @Override
  public String toString() {
    return Duration.ofNanos(nanos).toString();
  }
}
