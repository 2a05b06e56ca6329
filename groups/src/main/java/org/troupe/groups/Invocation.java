package org.troupe.groups;

import java.io.Serializable;
import java.util.concurrent.CompletableFuture;

/**
 * A call on members of a group that has not been made yet. One of the methods here makes it, once,
 * and determines what happens to the answers. Methods of {@link Group} determine which members are
 * called, and with which arguments. Each of them can be combined with each method here.
 *
 * <p>A single member:
 *
 * {@snippet file="org/troupe/groups/snippets/InvocationSnippets.java" region="one"}
 *
 * <p>All members, or those of {@link Group#select}:
 *
 * {@snippet file="org/troupe/groups/snippets/InvocationSnippets.java" region="each"}
 *
 * <p>All members, each with its own arguments:
 *
 * {@snippet file="org/troupe/groups/snippets/InvocationSnippets.java" region="byRank"}
 *
 * <p>All members, each with its part of a whole:
 *
 * {@snippet file="org/troupe/groups/snippets/InvocationSnippets.java" region="scatter"}
 *
 * <p>One call by all members of a group, in one of their methods, with the combination of their
 * arguments:
 *
 * {@snippet file="org/troupe/groups/snippets/InvocationSnippets.java" region="combined"}
 *
 * @param <V> the type of an answer
 */
public interface Invocation<V> {

  /** Makes the call and discards the answers; failures go to the failure handler. */
  void discard();

  /**
   * Makes the call and returns the answer of one member; failures of others go to the failure
   * handler.
   *
   * @param rank the rank among the members called
   */
  CompletableFuture<V> returned(int rank);

  /** Makes the call and returns the answers of all members. */
  Results<V> gather();

  /**
   * Makes the call and combines the answers on their way back to one.
   *
   * <p>The answers of a node's members are combined there, on the threads that serve them, if that
   * keeps the order of ranks; so each node sends one answer. With {@link Reduction#tree} and more
   * than two nodes, the nodes combine these among each other, and only one answer reaches the
   * caller.
   *
   * @return completes with the combined answer, or with a {@link GroupCallException}
   */
  CompletableFuture<V> combine(Reduction<V> reduction);

  /**
   * Makes the call and forwards each answer, from the node that gives it, to another object or to
   * all members of a typed group, without passing through this JVM. The order of arrival is
   * undefined.
   *
   * @param receiver a stub or a typed group
   * @param call {@code (receiver, answer) -> receiver.take(answer)}; sent to the members and
   *     recorded there for each answer, like the lambda of {@code tell}
   * @return completes when the receiver has served all these calls, or with a {@link
   *     GroupCallException}
   */
  <Q> CompletableFuture<Void> forward(Q receiver, Forward<? super Q, ? super V> call);

  /**
   * Makes the call and divides the combined answer into parts, one for each caller. An ordinary
   * call has one caller, of rank 0; a call that the members of a group make together has each of
   * them as a caller.
   */
  <P> CompletableFuture<P> personalised(Reduction<V> reduction, Cut<? super V, P> cut);

  /**
   * A call by which an answer is forwarded to its receiver.
   *
   * @param <Q> the type of the receiver
   * @param <V> the type of the answer
   */
  @FunctionalInterface
  interface Forward<Q, V> extends Serializable {

    /** Makes one call on the receiver. */
    void on(Q receiver, V answer) throws Exception;
  }

  /**
   * A function that returns a part of a combined answer.
   *
   * @param <V> the type of the answer
   * @param <P> the type of a part
   */
  @FunctionalInterface
  interface Cut<V, P> extends Serializable {

    /** Returns the part of the caller with a rank, in a number of callers. */
    P part(V combined, int rank, int size);
  }
}
