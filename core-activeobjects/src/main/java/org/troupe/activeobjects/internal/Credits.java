package org.troupe.activeobjects.internal;

import java.util.concurrent.Semaphore;

/** How many more requests senders of one JVM may have waiting in one bounded queue. */
final class Credits {

  private final int bound;
  private final Semaphore free;
  private volatile RuntimeException lost;

  Credits(int bound) {
    this.bound = bound;
    this.free = new Semaphore(bound);
  }

  int bound() {
    return bound;
  }

  /**
   * Takes one, waiting for it: the one place where a one-way call waits.
   *
   * @throws RuntimeException if the queue is gone meanwhile
   */
  void take() {
    free.acquireUninterruptibly();
    if (lost != null) {
      free.release(); // the next one waiting is to hear of it too
      throw lost;
    }
  }

  void giveBack(int count) {
    free.release(count);
  }

  /** The queue is gone: nobody waits for it any more. */
  void fail(RuntimeException cause) {
    lost = cause;
    free.release();
  }
}
