package org.troupe.replicas;

import org.jspecify.annotations.Nullable;

/** An event that has, or is to get, a number in the order of a replicated object. */
sealed interface Change {

  /**
   * A call that changes the object.
   *
   * @param origin the member whose node made the call
   * @param count counts the writes of the origin
   * @param method its index in the stub class
   * @param arguments its arguments; never changed, as they may have to be sent again
   */
  record Write(int origin, long count, int method, @Nullable Object[] arguments) implements Change {

    Id id() {
      return new Id(origin, count);
    }
  }

  /** Stands for a write whose arguments the origin sends. */
  record Id(int origin, long count) implements Change {}

  /** Takes the number of a write that was lost together with its sequencer. */
  record Nothing() implements Change {}

  /** Ends the object. No change has a higher number. */
  record Close() implements Change {}
}
