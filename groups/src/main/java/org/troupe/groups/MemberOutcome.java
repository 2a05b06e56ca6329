package org.troupe.groups;

import org.troupe.activeobjects.NodeLostException;
import org.troupe.futures.Outcome;
import org.troupe.groups.internal.UncheckedThrow;

/**
 * The outcome of a call on one member. Immutable; may be shared between threads.
 *
 * @param <V> the type of the answer
 */
public sealed interface MemberOutcome<V> {

  /** Returns the member's rank. */
  int rank();

  /**
   * Returns the answer.
   *
   * @return may be {@code null}
   * @throws RuntimeException the exception of a failed call; a checked exception is not wrapped
   */
  V value();

  /**
   * The member answered.
   *
   * @param value may be {@code null}
   */
  record Success<V>(int rank, V value) implements MemberOutcome<V> {}

  /**
   * The member threw, or the call ended with an error.
   *
   * @param exception the exception that a call on this member alone would have thrown; a {@link
   *     NodeLostException} if the member's node is lost, so that the call may or may not have been
   *     served
   */
  record Failure<V>(int rank, Throwable exception) implements MemberOutcome<V> {

    @Override
    public V value() {
      throw UncheckedThrow.<RuntimeException>of(exception);
    }
  }

  /** Converts the outcome of a future; decodes the answer if it is still encoded. */
  static <V> MemberOutcome<V> of(int rank, Outcome<V> outcome) {
    return switch (outcome.settled()) {
      case Outcome.Success<V>(V value) -> new Success<>(rank, value);
      case Outcome.Failure<V>(Throwable cause) -> new Failure<>(rank, cause);
      case Outcome.Encoded<V> encoded -> throw new AssertionError(encoded);
    };
  }
}
