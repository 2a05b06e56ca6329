package org.troupe.groups;

import java.io.Serializable;
import java.util.concurrent.CompletableFuture;

/**
 * A call on members of a group, which one of the methods here makes, once: they say what becomes of
 * the answers. Whom it calls, and with what, {@link Group} says. Any way to call goes with any way
 * to reply:
 *
 * <pre>{@code
 * // a single member
 * group.tellOne(2, s -> s.step(dt)).discard();
 * CompletableFuture<Double> e = group.one(2, Solver::energy).returned(0);
 * Results<Double> one = group.one(2, Solver::energy).gather();
 * CompletableFuture<Double> same = group.one(2, Solver::energy).combine(Reduction.flat(Double::sum));
 * group.one(2, Solver::energy).forward(display, Display::show);
 * group.one(2, Solver::values).personalised(Reduction.flat(Vectors::add), Parts::cut);
 *
 * // all members, or group.select(..) of them
 * group.tellEach(s -> s.step(dt)).discard();
 * CompletableFuture<Double> first = group.each(Solver::energy).returned(0);
 * Results<Double> energies = group.each(Solver::energy).gather();
 * Field fields = group.each(Solver::field).gather().all();
 * CompletableFuture<Double> total = group.each(Solver::energy).combine(Reduction.tree(Double::sum));
 * group.each(Solver::field).forward(display, Display::show);
 * group.each(Solver::values).personalised(Reduction.flat(Vectors::add), Parts::cut);
 *
 * // all members, each with its own arguments
 * group.tellByRank((s, rank) -> s.place(points[rank])).discard();
 * group.byRank((s, rank) -> s.probe(points[rank])).returned(3);
 * group.byRank((s, rank) -> s.probe(points[rank])).gather();
 * group.byRank((s, rank) -> s.probe(points[rank])).combine(Reduction.flat(Math::max));
 * group.byRank((s, rank) -> s.probe(points[rank])).forward(display, Display::show);
 * group.byRank((s, rank) -> s.probe(points[rank])).personalised(Reduction.flat(Math::max), Parts::cut);
 *
 * // all members, each with its part of a whole
 * group.tellScatter(Scatter.blocks(charges), Solver::load).discard();
 * group.scatter(Scatter.blocks(charges), Solver::sum).returned(0);
 * group.scatter(Scatter.cyclic(tasks), Solver::solve).gather();
 * group.scatter(Scatter.blocks(charges), Solver::sum).combine(Reduction.tree(Double::sum));
 * group.scatter(Scatter.byKey(tasks, Task::rank), Solver::solve).forward(all, Solver::take);
 * group.scatter(Scatter.blocks(charges), Solver::sum).personalised(Reduction.flat(Double::sum), Parts::cut);
 *
 * // one call by all members of a group, in a method of theirs; the store gets their arguments as one
 * Reduction<Part> joined = Reduction.tree(Part::join);
 * spmd.combined(part, joined, store, Store::put).discard();
 * CompletableFuture<Sum> atFirst = spmd.combined(part, joined, store, Store::add).returned(0);
 * Results<Sum> sum = spmd.combined(part, joined, store, Store::add).gather();
 * CompletableFuture<Sum> atAll = spmd.combined(part, joined, store, Store::add).combine(Reduction.flat(Sum::plus));
 * spmd.combined(part, joined, store, Store::add).forward(display, Display::show);
 * CompletableFuture<Part> own = spmd.combined(part, joined, store, Store::add).personalised(Reduction.flat(Sum::plus), Parts::cut);
 * }</pre>
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
   * @return completes with the combined answer, or with a {@link GroupFailure}
   */
  CompletableFuture<V> combine(Reduction<V> reduction);

  /**
   * Makes the call; the answers go from where they are given to another object, or to all members
   * of a typed group, and not through this JVM. They come in no particular order.
   *
   * @param receiver a stub or a typed group
   * @param call {@code (receiver, answer) -> receiver.take(answer)}; travels to the members, and is
   *     recorded there for each answer as that of {@code tell} is
   * @return completes when the receiver has served all these calls, or with a {@link GroupFailure}
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
