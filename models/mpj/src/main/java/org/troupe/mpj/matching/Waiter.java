package org.troupe.mpj.matching;

import java.util.concurrent.locks.LockSupport;

/** A thread that waits for operations. */
final class Waiter {

  private final Thread thread = Thread.currentThread();
  private volatile boolean isWoken;

  void wake() {
    isWoken = true;
    if (thread != Thread.currentThread()) { // which polls and may itself have received
      LockSupport.unpark(thread);
    }
  }

  boolean isWoken() {
    return isWoken;
  }

  /** Prepares for the next look at the operations. */
  void rearm() {
    isWoken = false;
  }

  /** Sleeps until woken, but not longer. */
  void sleepAtMost(long nanos) {
    if (!isWoken) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Sleeps until woken, or for some time. */
  void sleep(long nanos) {
    if (isWoken) {
      return;
    }
    if (thread.isVirtual()) {
      LockSupport.park(this); // with a limit, a timer would be set and cancelled for each message
    } else {
      LockSupport.parkNanos(this, nanos);
    }
  }
}
