package org.troupe.benchmarks.sides;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.WrittenBytes;

/** A member of a called group that does as little as possible. */
class GroupCallee {

  /** Awaited calls that have not been served, minus served calls that have not been awaited yet. */
  private static final AtomicLong PENDING = new AtomicLong();

  private static volatile @Nullable Thread waiter;

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
    if (PENDING.decrementAndGet() == 0) {
      LockSupport.unpark(waiter);
    }
  }

  /** Waits until all members in this JVM together have served a number of further calls. */
  int awaitServed(long calls) {
    waiter = Thread.currentThread();
    if (PENDING.addAndGet(calls) > 0) {
      while (PENDING.get() > 0) {
        LockSupport.park();
      }
    }
    return 1;
  }

  /** Returns the number of bytes that this JVM has written. */
  long written() {
    return WrittenBytes.bytes();
  }
}
