package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
  private final @Nullable Duration limit;
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile @Nullable RuntimeException failure;
  private volatile boolean isClaimed; // a caller waits for the end or has a future of it
  private @Nullable Thread joining; // the last one in join; a report may miss a short wait
  private final List<FutureResult<Void>> waiters = new ArrayList<>(); // guarded by this

  Barrier(
      String name,
      Communicator communicator,
      Supplier<List<Integer>> missing,
      @Nullable Duration limit) {
    this.name = name;
    this.communicator = communicator;
    this.missing = missing;
    this.limit = limit;
  }

  @Nullable Duration limit() {
    return limit;
  }

  /** Returns the ranks that have not reached the barrier. */
  List<Integer> missing() {
    return missing.get();
  }

  /** Returns whether all members have reached the barrier. */
  public boolean isPassed() {
    return end.getCount() == 0 && failure == null;
  }

  /** Returns whether the wait has not ended. */
  boolean isPending() {
    return end.getCount() != 0;
  }

  /** Returns a thread that waits in {@link #join}; {@code null} if there is none. */
  @Nullable Thread joining() {
    return joining;
  }

  /** Returns whether a caller waits for the end, and so receives a failure. */
  boolean isClaimed() {
    return isClaimed;
  }

  /**
   * Returns a future that completes when all members have reached the barrier; it fails if one of
   * them is lost, or has not reached the barrier in time. Stages that an active object attaches to
   * it are requests of the object.
   */
  public CompletableFuture<Void> whenPassed() {
    isClaimed = true;
    FutureResult<Void> result = Collectives.current().result(this::toString);
    synchronized (this) {
      if (end.getCount() > 0) {
        waiters.add(result);
        return result.asCompletableFuture();
      }
    }
    settle(result);
    return result.asCompletableFuture();
  }

  private void settle(FutureResult<Void> result) {
    var known = failure;
    result.settle(known == null ? Outcome.withoutValue() : new Outcome.Failure<>(known));
  }

  /**
   * Waits until all members have reached the barrier, within the time limit of the view by which it
   * was reached, if any.
   *
   * @throws MemberLostException if a member is lost
   * @throws CollectiveException if a member has not reached the barrier in time; the message names
   *     it
   */
  public void join() {
    join(limit);
  }

  /** Waits until all members have reached the barrier, within another limit. */
  void join(@Nullable Duration within) {
    var observation =
        Collectives.current().takesPart("barrier", communicator.rank(), communicator.size());
    if (observation == null) {
      await(within);
      return;
    }
    RuntimeException thrown = null;
    try {
      await(within);
    } catch (RuntimeException e) {
      thrown = e;
      throw e;
    } finally {
      Collectives.current().ended(observation, thrown);
    }
  }

  private void await(@Nullable Duration within) {
    isClaimed = true;
    if (isPending()) {
      awaitEnd(within);
    }
    communicator.barriers().joined();
    var known = failure;
    if (known instanceof MemberLostException lost) {
      throw new MemberLostException(lost.rank(), lost.node(), String.valueOf(lost.getMessage()));
    }
    if (known != null) {
      throw new CollectiveException(String.valueOf(known.getMessage()));
    }
  }

  private void awaitEnd(@Nullable Duration within) {
    var interrupted = false;
    joining = Thread.currentThread();
    try {
      if (Objects.equals(within, limit)) { // another limit would not end the watch
        communicator.barriers().watch(this);
      }
      var began = within == null ? 0 : System.nanoTime();
      while (isPending()) {
        try {
          if (within == null) {
            end.await();
          } else if (!end.await(
              within.toNanos() - (System.nanoTime() - began), TimeUnit.NANOSECONDS)) {
            throw timedOut(within);
          }
        } catch (InterruptedException e) {
          interrupted = true; // restored at the end
        }
      }
    } finally {
      joining = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the failure of a barrier that some members have not reached in time. */
  CollectiveException timedOut(@Nullable Duration within) {
    var late = missing.get();
    return new CollectiveException(
        communicator.describe(communicator.rank())
            + " waited "
            + CollectiveOperation.seconds(within)
            + " s in "
            + name
            + " for "
            + (late.isEmpty() ? "any member" : communicator.describe(late)));
  }

  /**
   * Ends the wait on any thread; runs no user code on it.
   *
   * @param why the failure, or {@code null} if all members have reached the barrier
   */
  void end(@Nullable RuntimeException why) {
    List<FutureResult<Void>> results;
    synchronized (this) {
      if (end.getCount() == 0) {
        return;
      }
      failure = why;
      end.countDown();
      results = List.copyOf(waiters);
      waiters.clear();
    }
    communicator.barriers().wakeWatcher();
    results.forEach(this::settle);
  }

  @Override
  public String toString() {
    return name;
  }
}
