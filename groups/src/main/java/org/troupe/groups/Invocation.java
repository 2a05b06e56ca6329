package org.troupe.groups;

import java.io.Serializable;
import java.util.concurrent.CompletableFuture;

/**
 * A call on members of a group, which one of the methods here makes, once: they say what becomes of
 * the answers. Whom it calls, and with what, {@link Group} says.
 *
 * @param <V> the type of an answer
 */
public interface Invocation<V> {

  /** Makes the call; nothing comes back. Failures go to the failure handler. */
  void discard();

  /** Makes the call; returns the answer of one member. */
  CompletableFuture<V> returned(int rank);

  /** Makes the call; returns the answers of all members. */
  Results<V> gather();

  /** Makes the call; the answers are combined on their way to one, which comes back. */
  CompletableFuture<V> combine(Reduction<V> reduction);

  /**
   * Makes the call; the answers go to another object, or to all of a typed group.
   *
   * @param receiver a stub or a typed group
   * @param call {@code (receiver, answer) -> receiver.take(answer)}; made once for each answer
   * @return completes when the receiver has served all these calls
   */
  <Q> CompletableFuture<Void> forward(Q receiver, Forward<? super Q, ? super V> call);

  /** Makes the call; the combined answer is cut in parts, one for each caller. */
  <P> CompletableFuture<P> personalised(Reduction<V> reduction, Cut<? super V, P> cut);

  /** What is done with an answer at its receiver. */
  @FunctionalInterface
  interface Forward<Q, V> extends Serializable {

    /** Makes one call on the receiver. */
    void on(Q receiver, V answer) throws Exception;
  }

  /** How a combined answer is cut. */
  @FunctionalInterface
  interface Cut<V, P> extends Serializable {

    /** Returns the part of the caller with a rank among so many. */
    P part(V combined, int rank, int size);
  }
}
