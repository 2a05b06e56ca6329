package org.troupe.futures;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.stubs.Stubs;

/**
 * Operations on futures, transparent and explicit.
 *
 * <p>Every method takes any object: a transparent future, a {@link CompletableFuture}, or an
 * ordinary value, which counts as a result that has arrived.
 */
public final class Futures {

  private Futures() {}

  /** Returns whether a result has not arrived yet; never waits. */
  public static boolean isAwaited(@Nullable Object future) {
    var result = resultOf(future);
    if (result != null) {
      return result.isAwaited();
    }
    return future instanceof CompletableFuture<?> explicit && !explicit.isDone();
  }

  /**
   * Waits without a time limit until a result has arrived, be it a value or a failure. An interrupt
   * does not end the wait; the interrupt status is kept.
   *
   * @return the future itself
   */
  public static <T extends @Nullable Object> T await(T future) {
    var result = resultOf(future);
    if (result != null) {
      result.await();
    } else if (future instanceof CompletableFuture<?> explicit) {
      try {
        explicit.join();
      } catch (CompletionException | CancellationException e) {
        // The result has arrived; its failure is thrown when it is used.
      }
    }
    return future;
  }

  /**
   * Waits until a result has arrived, at most for the given time.
   *
   * @return the future itself
   * @throws TimeoutException if the time is over; the call goes on
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public static <T extends @Nullable Object> T await(T future, Duration timeout)
      throws TimeoutException, InterruptedException {
    awaitFirst(Collections.singletonList(future), timeout, describe(future) + ", did not arrive");
    return future;
  }

  /**
   * Waits without a time limit until one of several results has arrived.
   *
   * @return the result that arrived first; if several have arrived already, the first in the
   *     collection's order
   * @throws IllegalArgumentException if the collection is empty, as no result could ever arrive
   */
  public static <T extends @Nullable Object> T awaitAny(Collection<? extends T> futures) {
    requireSome(futures);
    for (T future : futures) {
      if (!isAwaited(future)) {
        return future;
      }
    }
    if (futures.size() == 1) {
      return await(
          futures.iterator().next()); // a wait for one result takes part in deadlock detection
    }
    firstOf(futures).join();
    return firstArrived(futures);
  }

  /**
   * Waits until one of several results has arrived, at most for the given time.
   *
   * @return the result that arrived first
   * @throws TimeoutException if the time is over; the calls go on
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public static <T extends @Nullable Object> T awaitAny(
      Collection<? extends T> futures, Duration timeout)
      throws TimeoutException, InterruptedException {
    requireSome(futures);
    awaitFirst(futures, timeout, "none of " + futures.size() + " results arrived");
    return firstArrived(futures);
  }

  /** Waits until all results have arrived, be they values or failures. */
  public static void awaitAll(Collection<?> futures) {
    futures.forEach(Futures::await);
  }

  /**
   * Waits until all results have arrived, at most for the given time in total.
   *
   * @throws TimeoutException if the time is over; the calls go on
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public static void awaitAll(Collection<?> futures, Duration timeout)
      throws TimeoutException, InterruptedException {
    var deadline = System.nanoTime() + FutureRuntime.nanos(timeout);
    for (var future : futures) {
      await(future, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }

  /**
   * Returns the completable future behind a transparent one; a completed one for an ordinary value.
   */
  @SuppressWarnings("unchecked") // a stub of type T stands for a result of type T
  public static <T extends @Nullable Object> CompletableFuture<T> of(T future) {
    var result = resultOf(future);
    if (result != null) {
      return (CompletableFuture<T>) result.asCompletableFuture();
    }
    if (future instanceof CompletableFuture<?> explicit) {
      return (CompletableFuture<T>) explicit;
    }
    return CompletableFuture.completedFuture(future);
  }

  /**
   * Waits for the result behind a transparent future and returns the value itself, which may be
   * {@code null}: for casts, for keys of maps, and for {@code ==}. Any other object, also a
   * completable future, is its own value.
   *
   * @throws WaitInterruptedException if the thread is interrupted while it waits
   * @throws RuntimeException what the call threw, if it threw
   */
  public static <T extends @Nullable Object> T value(T future) {
    if (!(Stubs.handlerOf(future) instanceof TransparentFuture transparent)) {
      return future;
    }
    try {
      @SuppressWarnings("unchecked") // a stub of type T stands for a result of type T
      var value = (T) transparent.result.value();
      return value;
    } catch (Throwable failure) {
      throw Futures.<RuntimeException>asItIs(failure);
    }
  }

  /** Describes a future for a message or a log; never waits. */
  public static String describe(@Nullable Object future) {
    var result = resultOf(future);
    if (result == null) {
      return future instanceof CompletableFuture<?> ? future.toString() : "a value that is here";
    }
    return switch (result.outcomeNow()) {
      case null -> result.describe() + ", awaited";
      case Outcome.Success<?> success -> result.describe() + ", arrived";
      case Outcome.Failure<?>(Throwable cause) -> result.describe() + ", failed: " + cause;
      case Outcome.Encoded<?> encoded -> result.describe() + ", arrived";
    };
  }

  /**
   * Returns the result behind a future that a call returned, or {@code null} for any other object.
   */
  public static @Nullable FutureResult<?> resultOf(@Nullable Object future) {
    if (Stubs.handlerOf(future) instanceof TransparentFuture transparent) {
      return transparent.result;
    }
    return future instanceof FutureView<?> view ? view.result() : null;
  }

  private static <T extends @Nullable Object> T firstArrived(Collection<? extends T> futures) {
    for (T future : futures) {
      if (!isAwaited(future)) {
        return future;
      }
    }
    throw new AssertionError("a result that had arrived is awaited again");
  }

  /**
   * A plain future that completes when the first of the given ones has arrived or failed. It adds
   * no stages to them: inside an active object a stage would be a request queued behind the waiting
   * one.
   */
  private static CompletableFuture<Void> firstOf(Collection<?> futures) {
    var first = new CompletableFuture<Void>();
    for (var future : futures) {
      var result = resultOf(future);
      if (result != null) {
        result.claim();
        result.onSettled(outcome -> first.complete(null));
      } else if (future instanceof CompletableFuture<?> explicit) {
        explicit.whenCompleteAsync((value, failure) -> first.complete(null), Runnable::run);
      } else {
        first.complete(null);
      }
    }
    return first;
  }

  private static void awaitFirst(Collection<?> futures, Duration timeout, String what)
      throws TimeoutException, InterruptedException {
    try {
      firstOf(futures).get(FutureRuntime.nanos(timeout), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e); // the signal carries no failure
    } catch (TimeoutException e) {
      throw new TimeoutException(what + " within " + timeout);
    }
  }

  private static void requireSome(Collection<?> futures) {
    if (futures.isEmpty()) {
      throw new IllegalArgumentException(
          "awaitAny of an empty collection would wait for ever; check isEmpty() first");
    }
  }

  @SuppressWarnings("unchecked") // the unchecked cast rethrows checked exceptions undeclared
  private static <E extends Throwable> E asItIs(Throwable failure) throws E {
    throw (E) failure;
  }
}
