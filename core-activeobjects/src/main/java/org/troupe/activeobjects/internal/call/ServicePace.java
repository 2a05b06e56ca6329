package org.troupe.activeobjects.internal.call;

import java.util.concurrent.TimeUnit;

/** Records whether the services of one method have been short lately. Thread-safe. */
public final class ServicePace {

  /*
   * Races are harmless: threads that record at the same time may lose an increment, and a thread
   * that sees an old count only decides a little later. Once the count is full it is not written
   * any more, so the threads that serve short requests do not invalidate each other's caches.
   */

  /** The longest duration of a service that counts as short. */
  static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The number of consecutive short services after which the next one is expected to be short. */
  public static final int EXPECTED_AFTER = 256;

  /**
   * The number of consecutive short services after a single long one: on a busy machine the system
   * preempts the thread in the middle of any service.
   */
  private static final int EXPECTED_AFTER_ONE_LONG = 64;

  private int shortInRow;

  /** Records the duration of a service, waits within it included. */
  public void served(long nanos) {
    if (nanos > SHORT_NANOS) {
      shortInRow = isShort() ? EXPECTED_AFTER - EXPECTED_AFTER_ONE_LONG : 0;
    } else if (shortInRow < EXPECTED_AFTER) {
      shortInRow++;
    }
  }

  /** Returns whether the next service is expected to be short. */
  public boolean isShort() {
    return shortInRow >= EXPECTED_AFTER;
  }
}
