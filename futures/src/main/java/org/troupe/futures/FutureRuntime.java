package org.troupe.futures;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The runtime's view of waiting: called on a thread that is about to wait for a result, for example
 * to detect deadlocks.
 *
 * <p>The runtime that performs the calls implements it; users do not see it.
 */
public interface FutureRuntime {

  /**
   * Called when a thread is about to wait for a result that has not arrived.
   *
   * @param awaited the result
   * @param bounded whether the wait has a time limit
   * @return is run when the wait has ended
   * @throws RuntimeException if the result can never arrive while this thread waits
   */
  Runnable begins(FutureResult<?> awaited, boolean bounded);

  /** Returns the executor for stages of a future that the calling thread creates now. */
  Executor stages();

  /**
   * Returns the executor for a stage that the calling thread adds now.
   *
   * @param stages the executor of all stages of the future
   */
  default Executor stageMadeNow(Executor stages) {
    return stages;
  }

  /**
   * Called when a stage has been added that will run on an executor.
   *
   * @param stages the executor of the stage
   * @param stage is done when the stage has run, or never will
   */
  default void staged(Executor stages, CompletableFuture<?> stage) {}

  /**
   * Called when a thread is about to wait for a stage to run.
   *
   * @param stages the executor of the stage
   * @param bounded whether the wait has a time limit
   * @throws RuntimeException if the stage can never run while this thread waits
   */
  void beginsForStage(Executor stages, boolean bounded);

  /** Performs work on the calling thread that does not belong to the object it may act for. */
  default void detached(Runnable work) {
    work.run();
  }

  /**
   * Returns a time limit in nanoseconds, or {@code Long.MAX_VALUE}, which means none, if it exceeds
   * 292 years.
   *
   * @throws NullPointerException if it is {@code null}
   */
  static long nanos(Duration limit) {
    Objects.requireNonNull(
        limit,
        "the time limit is null; give a Duration, such as Duration.ofSeconds(Long.MAX_VALUE) for"
            + " ever");
    return TimeUnit.NANOSECONDS.convert(limit); // which saturates
  }
}
