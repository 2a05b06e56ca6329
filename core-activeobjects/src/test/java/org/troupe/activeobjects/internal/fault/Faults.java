package org.troupe.activeobjects.internal.fault;

import java.lang.Thread.State;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Faults that happen while a thread passes a step. */
public final class Faults {

  private static final Set<State> WAITING =
      EnumSet.of(State.BLOCKED, State.WAITING, State.TIMED_WAITING);

  /** Looks at a thread that waits, a millisecond apart, until it is said to stay so. */
  private static final int LOOKS = 20;

  private Faults() {}

  /**
   * Lets a fault happen on a thread of its own, and returns when it is over, or when it waits: it
   * may need a lock that the current thread holds at its step, and then goes on after this step.
   */
  public static void happen(Runnable fault) {
    var happening = Thread.startVirtualThread(fault);
    for (var looks = 0; looks < LOOKS && happening.isAlive(); ) {
      looks = WAITING.contains(happening.getState()) ? looks + 1 : 0;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
