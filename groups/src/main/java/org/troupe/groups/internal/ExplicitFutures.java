package org.troupe.groups.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/** Converts completable futures to results, including futures that no call has returned. */
public final class ExplicitFutures {

  private ExplicitFutures() {}

  /**
   * Returns the result behind a future, or one that settles when the future completes.
   *
   * @param description what is awaited, for messages
   */
  @SuppressWarnings("unchecked") // a future of a V settles with a V
  public static <V> FutureResult<V> resultOf(CompletableFuture<V> future, String description) {
    var known = (FutureResult<V>) Futures.resultOf(future);
    if (known != null) {
      return known;
    }
    FutureResult<V> result = Collectives.current().result(() -> description);
    settle(result, future);
    return result;
  }

  /** Settles a result when a future completes, on the thread that completes it. */
  public static <V> void settle(FutureResult<V> result, CompletableFuture<? extends V> future) {
    future.whenCompleteAsync(
        (value, failure) ->
            result.settle(
                failure == null
                    ? new Outcome.Success<>(value)
                    : new Outcome.Failure<>(
                        failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure)),
        Runnable::run);
  }
}
