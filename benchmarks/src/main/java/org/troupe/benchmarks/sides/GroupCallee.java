package org.troupe.benchmarks.sides;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.troupe.benchmarks.harness.WrittenBytes;

/** A member of a group on which others call: it does as little as can be. */
class GroupCallee {

  /** Calls that are awaited and not served yet, less those served that nobody has awaited yet. */
  private static final AtomicLong LEFT = new AtomicLong();

  private static volatile Thread waiter;

  /** The null call. */
  int call() {
    return 1;
  }

  void tell(long value) {
    served();
  }

  void take(double[] values) {
    served();
  }

  private static void served() {
    if (LEFT.decrementAndGet() == 0) {
      LockSupport.unpark(waiter);
    }
  }

  /** Waits until all members in this JVM together have served so many calls more than before. */
  int awaitServed(long calls) {
    waiter = Thread.currentThread();
    if (LEFT.addAndGet(calls) > 0) {
      while (LEFT.get() > 0) {
        LockSupport.park();
      }
    }
    return 1;
  }

  /** Returns how many bytes this JVM has written. */
  long written() {
    return WrittenBytes.bytes();
  }
}
