package org.troupe.groups;

import org.troupe.activeobjects.NodeLostException;

/**
 * What became of the call on one member. Immutable; may be shared between threads.
 *
 * @param <V> the type of the answer
 */
public sealed interface MemberOutcome<V> {

  /** Returns the member's rank. */
  int rank();

  /**
   * The member answered.
   *
   * @param value may be {@code null}
   */
  record Value<V>(int rank, V value) implements MemberOutcome<V> {}

  /**
   * The member threw, or the call ended with an error.
   *
   * @param exception as a call on this member alone would have thrown it
   */
  record Failed<V>(int rank, Throwable exception) implements MemberOutcome<V> {}

  /** The member's node is gone; whether the call was served is unknown. */
  record Lost<V>(int rank, NodeLostException exception) implements MemberOutcome<V> {}

  /** Reads what arrived for a member; decodes it if it is still encoded. */
  static <V> MemberOutcome<V> of(int rank, org.troupe.futures.Outcome<V> arrived) {
    return switch (arrived.settled()) {
      case org.troupe.futures.Outcome.Success<V>(V value) -> new Value<>(rank, value);
      case org.troupe.futures.Outcome.Failure<V>(NodeLostException gone) -> new Lost<>(rank, gone);
      case org.troupe.futures.Outcome.Failure<V>(Throwable cause) -> new Failed<>(rank, cause);
      case org.troupe.futures.Outcome.Encoded<V> encoded -> throw new AssertionError(encoded);
    };
  }
}
