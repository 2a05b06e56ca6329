package org.troupe.futures;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What waiting means to whoever makes the futures: called on the thread that is about to wait.
 *
 * <p>Implemented by what computes the results; users never meet it.
 */
public interface FutureRuntime {

  /**
   * A thread is about to wait for a result that is not there.
   *
   * @param awaited the result
   * @param bounded whether the wait ends by itself
   * @return run when the wait has ended
   * @throws RuntimeException if the result can never come while this thread waits
   */
  Runnable begins(FutureResult<?> awaited, boolean bounded);

  /** Returns where the stages run that the calling thread hangs on a future made now. */
  Executor stages();

  /**
   * A thread is about to wait for a stage to run.
   *
   * @param stages where the stage will run
   * @param bounded whether the wait ends by itself
   * @throws RuntimeException if the stage can never run while this thread waits
   */
  void beginsForStage(Executor stages, boolean bounded);

  /**
   * Returns a time limit in nanoseconds: {@code Long.MAX_VALUE}, for ever, if it is longer than 292
   * years.
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
