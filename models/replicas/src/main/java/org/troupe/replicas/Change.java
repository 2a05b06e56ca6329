package org.troupe.replicas;

import org.jspecify.annotations.Nullable;

/** A change that has, or is to get, a place in the order of a replicated object. */
sealed interface Change {

  /**
   * A call that changes the object.
   *
   * @param origin the member whose node made the call
   * @param number counts the writes of the origin
   * @param epoch the epoch in which the origin proposed it
   * @param newest the newest member in the view of the origin, which sent the write to all members
   *     up to this one
   * @param method its index in the stub class
   * @param arguments its arguments; never changed, as they may have to be sent again
   */
  record Write(
      int origin, long number, int epoch, int newest, int method, @Nullable Object[] arguments)
      implements Change {

    Id id() {
      return new Id(origin, number);
    }
  }

  /** Stands for a write whose arguments the origin sends. */
  record Id(int origin, long number) implements Change {}

  /** A member joins. */
  record Join(int member, ReplicaMember address) implements Change {}

  /** A member has left, or is lost. */
  record Leave(int member) implements Change {}

  /** Takes the place of a change that was lost together with its sequencer. */
  record Nothing() implements Change {}
}
