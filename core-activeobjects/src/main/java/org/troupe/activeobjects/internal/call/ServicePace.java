package org.troupe.activeobjects.internal.call;

import java.util.concurrent.ThreadLocalRandom;
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

  /**
   * How many requests of a method are timed one by one; later one of {@value #SAMPLING}, unless the
   * last one that was timed was long.
   */
  private static final int TIMED_AT_FIRST = 64;

  private static final int SAMPLING = 64; // a power of two

  private int shortInRow;
  private int timed;
  private boolean wasLong;

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

  /**
   * Decides whether to time a request that is accepted now.
   *
   * @return the time, with the weight in its last bit; 0 if the request is not to be timed
   */
  public long accepts(boolean isEach) {
    var isOne = isEach || timed < TIMED_AT_FIRST || wasLong;
    if (!isOne && (ThreadLocalRandom.current().nextInt() & SAMPLING - 1) != 0) {
      return 0;
    }
    var time = System.nanoTime() & ~1 | (isOne ? 0 : 1);
    return time == 0 ? 2 : time;
  }

  /** Returns how many requests the one stands for that was accepted at a time. */
  public int weightOf(long accepted) {
    return (accepted & 1) == 0 ? 1 : SAMPLING;
  }

  /** Records the duration of a service that was timed. */
  public void sampled(long nanos) {
    if (timed < TIMED_AT_FIRST) {
      timed++;
    }
    var isLong = nanos > SHORT_NANOS;
    if (isLong != wasLong) {
      wasLong = isLong;
    }
  }
}
