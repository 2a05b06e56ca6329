package org.troupe.activeobjects.internal.mobility;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.object.Deadline;

/**
 * The time limits of the {@code leaving()} methods that run on one node. Nearly all of them return
 * at once, so they share one timer, which expires at the first limit of those that were running
 * when it was set. Thread-safe.
 */
final class LeavingWatch {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final ScheduledExecutorService timer;
  private final Set<Limit> limits = new HashSet<>(); // guarded by this
  private @Nullable Future<?> check; // guarded by this
  private @Nullable Deadline checkTime; // of that check; guarded by this

  /** The limit of one run, compared by identity. */
  final class Limit {
    private final Deadline deadline;
    private final Runnable whenLate;

    private Limit(Deadline deadline, Runnable whenLate) {
      this.deadline = deadline;
      this.whenLate = whenLate;
    }

    /** Ends the limit: the method has returned, or is known to be late. */
    void end() {
      synchronized (LeavingWatch.this) {
        limits.remove(this);
      }
    }
  }

  LeavingWatch(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /**
   * Begins a limit.
   *
   * @param whenLate is run once if the limit has not ended in time, on the thread of the timer
   */
  synchronized Limit begin(long nanos, Runnable whenLate) {
    var begun = new Limit(Deadline.in(nanos), whenLate);
    checkIn(nanos); // first: it may fail
    limits.add(begun);
    return begun;
  }

  /** Lets a check take place within a time. */
  private void checkIn(long nanos) {
    if (checkTime != null && checkTime.left() <= nanos) {
      return;
    }
    if (check != null) {
      check.cancel(false);
    }
    checkTime = null; // if no check can be scheduled, the next limit tries again
    check = timer.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    checkTime = Deadline.in(nanos);
  }

  private void check() {
    List<Limit> late = new ArrayList<>();
    try {
      synchronized (this) {
        check = null;
        checkTime = null;
        var next = Long.MAX_VALUE;
        for (var each : limits) {
          var left = each.deadline.left();
          if (left <= 0) {
            late.add(each);
          } else {
            next = Math.min(next, left);
          }
        }
        late.forEach(limits::remove);
        if (!limits.isEmpty()) {
          checkIn(next);
        }
      }
    } finally {
      late.forEach(LeavingWatch::run);
    }
  }

  private static void run(Limit late) {
    try {
      late.whenLate.run();
    } catch (RuntimeException | Error failure) { // the other limits have passed, too
      LOG.log(Level.WARNING, "the end of a leaving() that is late has failed", failure);
    }
  }
}
