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

  /** Makes the call; nothing comes back. Failures go to the failure handler. */
  void discard();

  /**
   * Makes the call; returns the answer of one member. Failures of others go to the failure handler.
   *
   * @param rank among those that are called
   */
  CompletableFuture<V> returned(int rank);

  /** Makes the call; returns the answers of all members. */
  Results<V> gather();

  /**
   * Makes the call; the answers are combined on their way to one, which comes back.
   *
   * <p>The members of a node are combined there, on the threads that serve them, if that keeps the
   * order of the ranks: so one answer comes from each node. With {@link Reduction#tree} the nodes,
   * if they are more than two, combine these among them, and one answer comes in all.
   *
   * @return completes with the combined answer, or with a {@link GroupCallException}
   */
  CompletableFuture<V> combine(Reduction<V> reduction);

  /**
   * Makes the call; the answers go from where they are given to another object, or to all members
   * of a typed group, and not through this JVM. They come in no particular order.
   *
   * @param receiver a stub or a typed group
   * @param call {@code (receiver, answer) -> receiver.take(answer)}; travels to the members, and is
   *     recorded there for each answer as that of {@code tell} is
   * @return completes when the receiver has served all these calls, or with a {@link
   *     GroupCallException}
   */
  <Q> CompletableFuture<Void> forward(Q receiver, Forward<? super Q, ? super V> call);

  /**
   * Makes the call; the combined answer is cut in parts, one for each caller. A call that only one
   * has made has one caller, of rank 0; those that members make together, have as many as members.
   */
  <P> CompletableFuture<P> personalised(Reduction<V> reduction, Cut<? super V, P> cut);

  /**
   * What is done with an answer at its receiver.
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
   * How a combined answer is cut.
   *
   * @param <V> the type of the answer
   * @param <P> the type of a part
   */
  @FunctionalInterface
  interface Cut<V, P> extends Serializable {

    /** Returns the part of the caller with a rank among so many. */
    P part(V combined, int rank, int size);
  }
}
