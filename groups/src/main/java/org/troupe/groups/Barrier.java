package org.troupe.groups;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A barrier that a member has reached. It orders requests by itself; this is for those who want to
 * wait, or to know. May be shared between threads.
 */
public final class Barrier {

  private final String name;
  private final Seat seat;
  private final Supplier<List<Integer>> missing;
  private final Duration limit;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile RuntimeException failure;
  private CompletableFuture<Void> passed; // under this; null until somebody wants to know

  Barrier(String name, Seat seat, Supplier<List<Integer>> missing, Duration limit) {
    this.name = name;
    this.seat = seat;
    this.missing = missing;
    this.limit = limit;
  }

  Duration limit() {
    return limit;
  }

  /** Those who have not reached it. */
  List<Integer> missing() {
    return missing.get();
  }

  /** Says whether all have reached it. */
  public boolean isPassed() {
    return end.getCount() == 0 && failure == null;
  }

  /** Completes when all have reached it; fails if one of them is lost. */
  public synchronized CompletableFuture<Void> whenPassed() {
    if (passed == null) {
      passed = new CompletableFuture<>();
      if (end.getCount() == 0) {
        complete(passed);
      }
    }
    return passed.copy();
  }

  private void complete(CompletableFuture<Void> future) {
    if (failure == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /**
   * Waits until all have reached it, within the limit of the {@link Spmd#within} by which it was
   * reached.
   *
   * @throws MemberLostException if one of them is lost
   * @throws CollectiveException if some have not reached it in time; the message names them
   */
  public void join() {
    var interrupted = false;
    try {
      var began = System.nanoTime();
      for (; ; ) {
        var left =
            limit == null
                ? Long.MAX_VALUE
                : Math.max(0, limit.toNanos() - (System.nanoTime() - began));
        try {
          if (limit == null) {
            end.await();
          } else if (!end.await(left, TimeUnit.NANOSECONDS)) {
            throw new CollectiveException(
                seat.describe(seat.rank())
                    + " waited "
                    + limit.toMillis() / 1000.0
                    + " s in "
                    + name
                    + " for "
                    + seat.describe(missing.get()));
          }
          break;
        } catch (InterruptedException e) {
          interrupted = true; // noted for later
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (failure instanceof MemberLostException lost) {
      throw new MemberLostException(lost.rank(), lost.node(), lost.getMessage());
    }
    if (failure != null) {
      throw new CollectiveException(failure.getMessage());
    }
  }

  /** All have reached it, or it failed. From any thread; runs no user code on it. */
  void end(RuntimeException why) {
    failure = why;
    end.countDown();
    CompletableFuture<Void> wanted;
    synchronized (this) {
      wanted = passed;
    }
    if (wanted != null) {
      Thread.startVirtualThread(() -> complete(wanted));
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
