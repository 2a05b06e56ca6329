package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.groups.CollectiveException;

/**
 * A barrier that a member has reached. It orders requests without further action; the methods here
 * wait for it or query it. May be shared between threads.
 */
public final class Barrier {

  private final String name;
  private final Communicator communicator;
  private final Supplier<List<Integer>> missing;
  private final Duration limit;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile RuntimeException failure;
  private volatile boolean isClaimed; // a caller waits for its end or has asked for it
  private final List<FutureResult<Void>> wanted = new ArrayList<>(); // under this

  Barrier(String name, Communicator communicator, Supplier<List<Integer>> missing, Duration limit) {
    this.name = name;
    this.communicator = communicator;
    this.missing = missing;
    this.limit = limit;
  }

  Duration limit() {
    return limit;
  }

  /** Returns the ranks that have not reached it. */
  List<Integer> missing() {
    return missing.get();
  }

  /** Says whether all have reached it. */
  public boolean isPassed() {
    return end.getCount() == 0 && failure == null;
  }

  /** Says whether a caller has asked for its end, and so receives a failure. */
  boolean isClaimed() {
    return isClaimed;
  }

  /**
   * Completes when all have reached it; fails if one of them is lost, or if some have not reached
   * it in time. Stages that an active object hangs on it are requests of the object.
   */
  public CompletableFuture<Void> whenPassed() {
    isClaimed = true;
    FutureResult<Void> result = Collectives.current().result(this::toString);
    synchronized (this) {
      if (end.getCount() > 0) {
        wanted.add(result);
        return result.asCompletableFuture();
      }
    }
    settle(result);
    return result.asCompletableFuture();
  }

  private void settle(FutureResult<Void> result) {
    result.settle(failure == null ? new Outcome.Success<>(null) : new Outcome.Failure<>(failure));
  }

  /**
   * Waits until all have reached it, within the limit of the {@link Spmd#within} by which it was
   * reached.
   *
   * @throws MemberLostException if one of them is lost
   * @throws CollectiveException if some have not reached it in time; the message names them
   */
  public void join() {
    join(limit);
  }

  /** Waits until all have reached it, within another limit. */
  void join(Duration within) {
    isClaimed = true;
    var interrupted = false;
    try {
      var began = System.nanoTime();
      for (; ; ) {
        try {
          if (within == null) {
            end.await();
          } else if (!end.await(
              within.toNanos() - (System.nanoTime() - began), TimeUnit.NANOSECONDS)) {
            throw timedOut(within);
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

  /** Some have not reached it within a time. */
  CollectiveException timedOut(Duration within) {
    var whom = missing.get();
    return new CollectiveException(
        communicator.describe(communicator.rank())
            + " waited "
            + within.toMillis() / 1000.0
            + " s in "
            + name
            + " for "
            + (whom.isEmpty() ? "anybody" : communicator.describe(whom)));
  }

  /** All have reached it, or it failed. From any thread; runs no user code on it. */
  void end(RuntimeException why) {
    List<FutureResult<Void>> told;
    synchronized (this) {
      if (end.getCount() == 0) {
        return;
      }
      failure = why;
      end.countDown();
      told = List.copyOf(wanted);
      wanted.clear();
    }
    told.forEach(this::settle);
  }

  @Override
  public String toString() {
    return name;
  }
}
