package org.troupe.deployment.watch;

import org.jspecify.annotations.Nullable;

/** How often nodes are asked: less often while nothing happens. Not thread-safe. */
final class RoundPace {

  /*
   * Design: quiet rounds
   *
   * A report costs an idle node more than its heartbeats do, since code that runs once per second stays in the interpreter. A round
   * is quiet if all that has changed are figures that change by themselves: memory, processor time, clocks, and the traffic of the
   * reports themselves. After QUIET_ROUNDS of them each pause is twice as long as the one before, up to the longest interval that
   * the stream promises. Vital signs, which come with each heartbeat in any case, events and new clients end it at once, so that
   * work which begins is seen about as early as before.
   *
   * All nodes are asked in each round, also those that are quiet beside busy ones: a rate is the growth between two rounds by the
   * time between them, which would be wrong for a node that was left out.
   */
  private static final int QUIET_ROUNDS = 3;

  private final long longestNanos;
  private int quietRounds; // in a row

  RoundPace(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /** Takes note of a round that has ended. */
  void ended(boolean hasNews) {
    quietRounds = hasNews ? 0 : quietRounds + 1;
  }

  /**
   * Returns the time from the beginning of the last round to that of the next.
   *
   * @param shortestNanos that time while something happens
   */
  long intervalNanos(long shortestNanos) {
    var interval = shortestNanos;
    for (var i = QUIET_ROUNDS; i <= quietRounds && interval < longestNanos; i++) {
      interval = Math.min(longestNanos, 2 * interval);
    }
    return interval;
  }

  /**
   * Returns whether a row that has changed shows that something happens.
   *
   * @param before the row before; {@code null} if there was none
   */
  static boolean isNews(@Nullable WatchRecord before, WatchRecord now) {
    return before == null
        || switch (now) {
          case WatchRecord.Pair _ -> false;
          case WatchRecord.Node node -> isNews((WatchRecord.Node) before, node);
          case WatchRecord.Method _,
              WatchRecord.Queues _,
              WatchRecord.Waits _,
              WatchRecord.Collective _,
              WatchRecord.Operation _,
              WatchRecord.Cycle _,
              WatchRecord.Class _,
              WatchRecord.Failure _,
              WatchRecord.Event _,
              WatchRecord.Job _,
              WatchRecord.Panel _,
              WatchRecord.Vitals _,
              WatchRecord.Begin _,
              WatchRecord.Round _ ->
              true;
        };
  }

  private static boolean isNews(WatchRecord.Node before, WatchRecord.Node now) {
    var was = before.load();
    var is = now.load();
    return was == null
        || is == null
        || before.isSilent() != now.isSilent()
        || !before.state().equals(now.state())
        || !before.detail().equals(now.detail())
        || was.objects() != is.objects()
        || was.queued() != is.queued()
        || was.waiting() != is.waiting()
        || was.pending() != is.pending()
        || was.served() != is.served()
        || was.failed() != is.failed();
  }
}
