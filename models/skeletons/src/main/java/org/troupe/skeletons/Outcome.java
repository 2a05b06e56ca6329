package org.troupe.skeletons;

import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one input.
 *
 * @param <I> the type of the input
 * @param <O> the type of its result
 */
public sealed interface Outcome<I extends @Nullable Object, O extends @Nullable Object> {

  /** Returns the place of the input among all inputs, from 0. */
  long number();

  /** Returns the input. */
  I input();

  /** A result. */
  record Result<I extends @Nullable Object, O extends @Nullable Object>(
      long number, I input, O value) implements Outcome<I, O> {}

  /**
   * A failure.
   *
   * @param step the step that has failed, counted from 1 in the order in which the functions were
   *     given; 0 if none did, but the nodes that had the input were lost, or it took too long
   * @param cause what it threw
   */
  record Failure<I extends @Nullable Object, O extends @Nullable Object>(
      long number, I input, int step, Throwable cause) implements Outcome<I, O> {

    /** Returns a sentence that says which input failed where, and why. */
    public String message() {
      var where =
          step > 0
              ? "failed in step " + step
              : cause instanceof TimeoutException ? "took too long" : "was lost";
      return "input "
          + number
          + " ("
          + abbreviated(String.valueOf(input))
          + ") "
          + where
          + ": "
          + cause;
    }

    private static String abbreviated(String text) {
      return text.length() <= 100 ? text : text.substring(0, 100) + "..";
    }
  }
}
