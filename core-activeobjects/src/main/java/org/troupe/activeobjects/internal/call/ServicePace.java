package org.troupe.activeobjects.internal.call;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Records whether the services of one method have been short lately, and chooses those that are
 * timed. Thread-safe.
 */
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

  /** One of so many requests is timed, chosen by its object. */
  public static final int SAMPLING = 64;

  /** How many requests of a method are timed one by one, before it is left to their objects. */
  private static final int TIMED_AT_FIRST = 64;

  /** After so many timed requests of a method, only one of {@value #THINNING} chosen ones is. */
  private static final int TIMED_OFTEN = 1_024;

  private static final int THINNING = 4; // a power of two

  /** How many requests a timed one stands for, by the last bits of its time. */
  private static final int[] WEIGHTS = {1, SAMPLING, SAMPLING * THINNING, 0};

  private static final int WEIGHT_BITS = 3;
  private static final int ONE = 0;
  private static final int SAMPLE = 1;
  private static final int RARE_SAMPLE = 2;
  private static final int ONLY_TRACED = 3;

  private int shortInRow;
  private int timed;
  private boolean timesEach = true;

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

  /** Returns whether each request is timed, as few were yet, or the last one was long. */
  public boolean timesEach() {
    return timesEach;
  }

  /**
   * Decides whether to time a request that is accepted now, and may be.
   *
   * @param isChosen whether its object has chosen it, as it does one of {@value #SAMPLING}
   * @param isTraced whether it is timed in any case, if only for the trace
   * @return the time, with its weight in the last bits; 0 if the request is not to be timed
   */
  public long accepts(boolean isChosen, boolean isTraced) {
    var weight = timesEach ? ONE : isChosen ? sampleOrNot() : ONLY_TRACED;
    if (weight == ONLY_TRACED && !isTraced) {
      return 0;
    }
    var time = System.nanoTime() & ~WEIGHT_BITS;
    return (time == 0 ? WEIGHT_BITS + 1 : time) | weight;
  }

  private int sampleOrNot() {
    if (timed < TIMED_OFTEN) {
      return SAMPLE;
    }
    var isLeftOut = (ThreadLocalRandom.current().nextInt() & THINNING - 1) != 0;
    return isLeftOut ? ONLY_TRACED : RARE_SAMPLE;
  }

  /**
   * Returns how many requests the one stands for that was accepted at a time; 0 if it is only
   * traced.
   */
  public static int weightOf(long accepted) {
    return WEIGHTS[(int) accepted & WEIGHT_BITS];
  }

  /** Records the duration of a service that was timed. */
  public void sampled(long nanos) {
    if (timed < TIMED_OFTEN) {
      timed++;
    }
    var isEach = timed < TIMED_AT_FIRST || nanos > SHORT_NANOS;
    if (isEach != timesEach) {
      timesEach = isEach;
    }
  }
}
