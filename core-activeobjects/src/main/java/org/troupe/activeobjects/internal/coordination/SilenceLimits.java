package org.troupe.activeobjects.internal.coordination;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.troupe.futures.FutureRuntime;

/**
 * The times that follow from the allowed silence, a setting of the grid.
 *
 * @param silence how long a node may be silent before it is suspected
 */
public record SilenceLimits(Duration silence) {

  private static final int HEARTBEATS_PER_SILENCE = 5;
  private static final int MOST_ADDED_SILENCES = 16;

  /** How many times the allowed silence a node waits for a silent coordinator. */
  private static final int COORDINATOR_SILENCES = 12;

  /**
   * Deadlock searches run with each heartbeat, so the interval is bounded however long a node may
   * be silent.
   */
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(30);

  /** Returns the interval between two heartbeats. */
  public long intervalNanos() {
    return Math.min(nanos() / HEARTBEATS_PER_SILENCE, LONGEST_INTERVAL.toNanos());
  }

  /**
   * Returns how long a node may be silent, limited so that the sum of a few of these does not
   * overflow.
   */
  public long nanos() {
    return Math.min(FutureRuntime.nanos(silence), Long.MAX_VALUE / MOST_ADDED_SILENCES);
  }

  /** Returns how long a node waits for a coordinator whose process may have been stopped. */
  public long coordinatorPatienceNanos() {
    return COORDINATOR_SILENCES * nanos();
  }

  /** Returns the patience with the coordinator for messages. */
  public long coordinatorPatienceSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(coordinatorPatienceNanos());
  }
}
