package org.troupe.futures;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The completable future of a result, and of every stage that depends on it.
 *
 * <p>Stages without an executor of their own run on the executor that {@link
 * FutureRuntime#stages()} returned when the future was created, never on the thread that settled
 * the result.
 */
final class FutureView<T extends @Nullable Object> extends CompletableFuture<T> {

  /*
   * Completion. The thread that settles a result is often the reader of a connection. It must
   * neither decode the outcome nor run dependent stages, which include the plain futures of allOf
   * and anyOf. So a virtual thread completes this future. Waiting threads are not delayed by that,
   * as they read the result itself.
   *
   * A thread that waits in this future when the result arrives completes it instead, which saves the
   * virtual thread. It sets 'isJoined' before it looks at the result for the first time, and looks again
   * after it has cleared it, so one of the two threads completes this future.
   *
   * A user's thread completes this future only if nothing depends on it. A plain future that is derived from this
   * one at that very moment may still run its stages on that thread; they then act for no object, as on any other
   * thread that completes it.
   */
  private final @Nullable FutureResult<T> result; // null for a stage
  private final FutureRuntime waiting;
  private final Executor stages;

  /** Whether this future, or one that it depends on, is completed by a task on {@link #stages}. */
  private volatile boolean needsStages;

  /** Whether a thread waits in this future and will complete it. */
  private volatile boolean isJoined;

  FutureView(FutureResult<T> result, FutureRuntime waiting) {
    this(result, waiting, waiting.stages());
  }

  private FutureView(@Nullable FutureResult<T> result, FutureRuntime waiting, Executor stages) {
    this.result = result;
    this.waiting = waiting;
    this.stages = stages;
  }

  @Nullable FutureResult<T> result() {
    return result;
  }

  void arrived(Outcome<T> outcome) {
    if (!isJoined) {
      Thread.startVirtualThread(() -> completeFrom(outcome));
    }
  }

  /** Completes this future, which nothing depends on yet, if its outcome is here and decoded. */
  boolean completesNow() {
    var outcome = Objects.requireNonNull(result, "the result of a first view").outcomeNow();
    if (outcome == null || outcome instanceof Outcome.Encoded) {
      return false;
    }
    completeFrom(outcome);
    return true;
  }

  /** Ends a wait for the result: completes this future if the thread that settled left it to do. */
  private void endsJoin(FutureResult<T> awaited) {
    isJoined = false;
    var outcome = awaited.outcomeNow();
    if (outcome != null && !super.isDone() && !completesUnlessNeeded(outcome)) {
      Thread.startVirtualThread(() -> completeFrom(outcome)); // may run the stages of others
    }
  }

  /**
   * Completes this future on the calling user thread if nothing depends on it.
   *
   * @return whether nothing did
   */
  private boolean completesUnlessNeeded(Outcome<T> outcome) {
    if (getNumberOfDependents() != 0) {
      return false;
    }
    var decoded = outcome.settled();
    waiting.detached(() -> completeFrom(decoded));
    return true;
  }

  private void completeFrom(Outcome<T> outcome) {
    switch (outcome.settled()) {
      case Outcome.Success<T>(T value) -> super.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> super.completeExceptionally(cause);
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    }
  }

  /** Returns a plain future in the state of this one, for a user's thread that reads the state. */
  private CompletableFuture<T> seen(FutureResult<T> awaited) {
    var outcome = awaited.outcomeNow();
    if (outcome == null) {
      return new CompletableFuture<>();
    }
    if (!super.isDone()) {
      completesUnlessNeeded(outcome);
    }
    return switch (outcome.settled()) {
      case Outcome.Success<T>(T value) -> CompletableFuture.completedFuture(value);
      case Outcome.Failure<T>(Throwable cause) -> CompletableFuture.failedFuture(cause);
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    };
  }

  // Waiting

  @Override
  public T join() {
    if (result == null) {
      if (needsStages && !super.isDone()) {
        waiting.beginsForStage(stages, false);
      }
      return super.join();
    }
    isJoined = true;
    Outcome<T> outcome;
    try {
      outcome = result.await();
    } finally {
      endsJoin(result);
    }
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failure<T>(CancellationException cause) -> throw cause;
      case Outcome.Failure<T>(CompletionException cause) -> throw cause;
      case Outcome.Failure<T>(Throwable cause) -> throw new CompletionException(cause);
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    };
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (result == null) {
      if (needsStages && !super.isDone()) {
        waiting.beginsForStage(stages, false);
      }
      return super.get();
    }
    isJoined = true;
    try {
      return unwrapped(result.awaitInterruptibly());
    } finally {
      endsJoin(result);
    }
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (result == null) {
      return super.get(timeout, unit);
    }
    isJoined = true;
    @Nullable Outcome<T> outcome;
    try {
      outcome = result.await(unit.toNanos(timeout));
    } finally {
      endsJoin(result);
    }
    if (outcome == null) {
      throw new TimeoutException(
          result.describe()
              + " gave no result within "
              + timeout
              + " "
              + unit.name().toLowerCase(Locale.ROOT));
    }
    return unwrapped(outcome);
  }

  private static <T extends @Nullable Object> T unwrapped(Outcome<T> outcome)
      throws ExecutionException {
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failure<T>(CancellationException cause) -> throw cause;
      case Outcome.Failure<T>(Throwable cause) -> throw new ExecutionException(cause);
      case Outcome.Encoded<T> encoded -> throw new AssertionError(encoded);
    };
  }

  @Override
  public boolean isDone() {
    return result == null ? super.isDone() : !result.isAwaited();
  }

  @Override
  public T getNow(T valueIfAbsent) {
    if (result == null) {
      return super.getNow(valueIfAbsent);
    }
    result.claim();
    return seen(result).getNow(valueIfAbsent);
  }

  @Override
  public T resultNow() {
    if (result == null) {
      return super.resultNow();
    }
    result.claim();
    return seen(result).resultNow();
  }

  @Override
  public Throwable exceptionNow() {
    if (result == null) {
      return super.exceptionNow();
    }
    result.claim();
    return seen(result).exceptionNow();
  }

  @Override
  public State state() {
    if (result == null) {
      return super.state();
    }
    result.claim();
    return seen(result).state();
  }

  @Override
  public boolean isCompletedExceptionally() {
    if (result == null) {
      return super.isCompletedExceptionally();
    }
    result.claim();
    return seen(result).isCompletedExceptionally();
  }

  @Override
  public boolean isCancelled() {
    return result == null ? super.isCancelled() : seen(result).isCancelled();
  }

  // Completion by the user settles the result, and with it every other view of the result.

  @Override
  public boolean complete(T value) {
    if (result == null) {
      return super.complete(value);
    }
    return result.settle(new Outcome.Success<>(value));
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    if (result == null) {
      return super.completeExceptionally(cause);
    }
    claimed();
    return result.settle(new Outcome.Failure<>(cause));
  }

  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
    executor.execute(
        () -> {
          try {
            complete(supplier.get());
          } catch (Throwable failure) {
            completeExceptionally(failure);
          }
        });
    return this;
  }

  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
    return completeAsync(supplier, stages);
  }

  /**
   * Cancels the result: it fails with a {@link CancellationException}, in every view of it. A call
   * that waits in a queue is not served any more. One that is being served goes on to its end, as
   * its thread is not interrupted: the parameter has no effect.
   */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (result == null) {
      return super.cancel(mayInterruptIfRunning);
    }
    result.cancel();
    return isCancelled();
  }

  private void claimed() {
    if (result != null) {
      result.claim();
    }
  }

  // Stages

  /** Returns this. The JDK asks another future for it when it makes that one a part of a stage. */
  @Override
  public CompletableFuture<T> toCompletableFuture() {
    claimed();
    return this;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    claimed();
    var stage = new FutureView<U>(null, waiting, stages);
    stage.needsStages = needsStages;
    return stage;
  }

  @Override
  public Executor defaultExecutor() {
    return waiting.stageMadeNow(stages);
  }

  /** Marks a new stage as one that runs on {@link #stages}. */
  private <U> CompletableFuture<U> here(CompletableFuture<U> stage) {
    ((FutureView<U>) stage).needsStages = true;
    waiting.staged(stages, stage);
    return stage;
  }

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> fn) {
    return thenApplyAsync(fn);
  }

  @Override
  public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> fn) {
    return here(super.thenApplyAsync(fn));
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> action) {
    return thenAcceptAsync(action);
  }

  @Override
  public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> action) {
    return here(super.thenAcceptAsync(action));
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable action) {
    return thenRunAsync(action);
  }

  @Override
  public CompletableFuture<Void> thenRunAsync(Runnable action) {
    return here(super.thenRunAsync(action));
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return thenCombineAsync(other, fn);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombineAsync(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
    return here(super.thenCombineAsync(other, fn));
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
    return thenAcceptBothAsync(other, action);
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
    return here(super.thenAcceptBothAsync(other, action));
  }

  @Override
  public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
    return runAfterBothAsync(other, action);
  }

  @Override
  public CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable action) {
    return here(super.runAfterBothAsync(other, action));
  }

  @Override
  public <U> CompletableFuture<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> fn) {
    return applyToEitherAsync(other, fn);
  }

  @Override
  public <U> CompletableFuture<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> fn) {
    return here(super.applyToEitherAsync(other, fn));
  }

  @Override
  public CompletableFuture<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> action) {
    return acceptEitherAsync(other, action);
  }

  @Override
  public CompletableFuture<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> action) {
    return here(super.acceptEitherAsync(other, action));
  }

  @Override
  public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
    return runAfterEitherAsync(other, action);
  }

  @Override
  public CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable action) {
    return here(super.runAfterEitherAsync(other, action));
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return thenComposeAsync(fn);
  }

  @Override
  public <U> CompletableFuture<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> fn) {
    return here(super.thenComposeAsync(fn));
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
    return whenCompleteAsync(action);
  }

  @Override
  public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> action) {
    return here(super.whenCompleteAsync(action));
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> fn) {
    return handleAsync(fn);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> fn) {
    return here(super.handleAsync(fn));
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> fn) {
    return exceptionallyAsync(fn);
  }

  @Override
  public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> fn) {
    return here(super.exceptionallyAsync(fn));
  }

  @Override
  public CompletableFuture<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> fn) {
    return exceptionallyComposeAsync(fn);
  }

  @Override
  public CompletableFuture<T> exceptionallyComposeAsync(
      Function<Throwable, ? extends CompletionStage<T>> fn) {
    return here(super.exceptionallyComposeAsync(fn));
  }

  @Override
  public String toString() {
    return (result == null ? "a stage" : result.describe())
        + (isDone() ? ", arrived" : ", awaited");
  }
}
