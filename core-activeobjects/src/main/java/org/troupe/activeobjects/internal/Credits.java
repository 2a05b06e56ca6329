package org.troupe.activeobjects.internal;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many more requests senders of one JVM may have waiting in one bounded queue.
 *
 * <p>A queue of this JVM uses {@link #take} and {@link #giveBack} alone; the account that is kept
 * for a queue of another node also counts who has or wants credit, so that it can be closed.
 */
final class Credits {

  private final int bound;
  private final Semaphore free;
  private volatile boolean gone;
  private int reserved; // under the lock of the map that the account is in

  Credits(int bound) {
    this.bound = bound;
    this.free = new Semaphore(bound);
  }

  int bound() {
    return bound;
  }

  /** Takes one, waiting for it, unless the queue is gone. */
  void take() {
    free.acquireUninterruptibly();
    if (gone) {
      free.release(); // the next one waiting is to hear of it too
    }
  }

  /** Takes one, waiting for it at most for some time; says whether it was taken. */
  boolean take(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      take();
      return true;
    }
    var deadline = System.nanoTime() + nanos;
    var interrupted = false;
    try {
      for (; ; ) {
        try {
          var taken = free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          if (taken && gone) {
            free.release();
          }
          return taken;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What was reserved will not be taken; says whether nobody has or wants any now. */
  boolean giveUp() {
    reserved--;
    return reserved == 0;
  }

  void giveBack(int count) {
    free.release(count);
  }

  /** Somebody is about to take one. */
  void reserve() {
    reserved++;
  }

  /** Gives back what was reserved and taken; says whether nobody has or wants any now. */
  boolean settle(int count) {
    reserved -= count;
    free.release(count);
    return reserved == 0;
  }

  /** The queue is gone: nobody waits for it any more. */
  void close() {
    gone = true;
    free.release();
  }
}
