package org.troupe.activeobjects.internal.object;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.ReplyTo;
import org.troupe.activeobjects.internal.body.ReportedResult;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;

/**
 * Answers calls with the results of their methods: a value, or a future whose value will arrive.
 */
public final class ReplyDelivery {

  private final Marshaller marshaller;
  private final FutureRuntime waiting;

  ReplyDelivery(Marshaller marshaller, FutureRuntime waiting) {
    this.marshaller = marshaller;
    this.waiting = waiting;
  }

  /**
   * Answers a call with the result of its method. If that is a future, the answer is its value,
   * whenever it arrives, and no body waits for it. The value of a completable future may be another
   * future, which is sent like any object.
   */
  void deliver(@Nullable Object value, ReplyTo replyTo) {
    if (value instanceof CompletableFuture<?> explicit) {
      answerWith(resultOf(explicit), replyTo);
    } else {
      answerWith(value, replyTo);
    }
  }

  /** Answers a call with a value; the value of a transparent future is treated alike. */
  private void answerWith(@Nullable Object value, ReplyTo replyTo) {
    if (!(value instanceof CompletableFuture<?>)
        && Futures.resultOf(value) instanceof FutureResult<?> transparent) {
      answerWith(transparent, replyTo);
    } else {
      replyTo.returned(value);
    }
  }

  private void answerWith(FutureResult<?> future, ReplyTo replyTo) {
    if (!future.isAwaited()) {
      answer(future.await(), replyTo);
      return;
    }
    future.claim();
    replyTo.delegated(future);
    future.onSettled(outcome -> Thread.startVirtualThread(() -> relay(outcome, future, replyTo)));
  }

  private void relay(Outcome<?> outcome, FutureResult<?> future, ReplyTo replyTo) {
    try {
      answer(marshaller.failures().fresh(outcome, siteOf(future)), replyTo);
    } catch (Error failure) {
      replyTo.threw(failure); // such as a value nested too deeply to be encoded
    }
  }

  private void answer(Outcome<?> outcome, ReplyTo replyTo) {
    switch (outcome) {
      case Outcome.Success<?>(Object value) -> answerWith(value, replyTo);
      case Outcome.Failure<?>(Throwable cause) -> replyTo.threw(cause);
      case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
    }
  }

  /**
   * Returns the source line of the call that a future is the result of; {@code null} if it is
   * unknown.
   */
  public static @Nullable StackTraceElement siteOf(FutureResult<?> future) {
    return future instanceof ReportedResult<?> reported ? reported.site() : null;
  }

  /** Returns the result behind a completable future, whichever thread completes it. */
  public FutureResult<?> resultOf(CompletableFuture<?> explicit) {
    var known = Futures.resultOf(explicit);
    if (known != null) {
      return known;
    }
    var body = ServiceContext.currentBody();
    var result = new FutureResult<Object>(waiting);
    explicit.whenCompleteAsync(
        (value, failure) ->
            result.settle(
                failure == null
                    ? copyOf(value, body)
                    : new Outcome.Failure<>(
                        failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure)),
        Runnable::run);
    return result;
  }

  /**
   * Copies a value on the thread that completes the future with it, because it may change later.
   */
  private Outcome<Object> copyOf(Object value, @Nullable Body body) {
    if (marshaller.isShareable(value)) {
      return new Outcome.Success<>(value);
    }
    var own = body == null || body == ServiceContext.currentBody() ? null : body;
    var context = own == null ? null : new ServiceContext(own, ServicePolicy.AT_ONCE).enter();
    try {
      return marshaller.decodedLater(marshaller.encode(value));
    } catch (RuntimeException | Error failure) { // else the future's holders wait for ever
      return new Outcome.Failure<>(failure);
    } finally {
      if (context != null) {
        context.leave();
      }
    }
  }
}
