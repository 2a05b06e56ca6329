package org.troupe.groups.spmd;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.RequestGate;

/** A gate that holds requests until other members have done their part. */
abstract class PendingWait implements RequestGate.Gate {

  // Guarded by the table
  final String name;
  @Nullable Barrier barrier; // null until this member waits as well
  @Nullable RequestGate gate;
  long sinceNanos; // when the wait, or its present stage, began
  private long dueNanos; // the waiting time of the next warning; 0 for the first
  private @Nullable Long deadline;

  PendingWait(String name) {
    this.name = name;
  }

  /** Begins the wait of this member. */
  void begin(Barrier its) {
    barrier = its;
    restart();
    deadline = its.limit() == null ? null : (Long) (sinceNanos + its.limit().toNanos());
  }

  /** Begins another stage of the wait, without a time limit. */
  void restart() {
    sinceNanos = System.nanoTime();
    dueNanos = 0;
    deadline = null;
  }

  /** Returns whether a warning is due after this time, and sets the time of the next one. */
  boolean isDue(long waitedNanos) {
    if (waitedNanos < (dueNanos == 0 ? WaitPatience.nanos() : dueNanos)) {
      return false;
    }
    dueNanos = WaitPatience.nextWarning(waitedNanos);
    return true;
  }

  boolean hasDeadline() {
    return deadline != null;
  }

  /** Returns the time until this wait must be checked. */
  long nanosUntilCheck(long now) {
    var patience = WaitPatience.nanos();
    return deadline == null ? patience : Math.min(patience, deadline - now);
  }

  boolean hasExpired(long now) {
    return deadline != null && deadline - now <= 0;
  }

  /** Logs a warning; called without locks, as it may find that a member is lost. */
  abstract void warn(Barrier its, long waitedNanos);

  /** Ends the wait after its removal from the table; on any thread, without locks. */
  void end(@Nullable RuntimeException why) {
    if (barrier != null) {
      barrier.end(why);
    }
    if (gate != null) {
      gate.release();
    }
  }
}
