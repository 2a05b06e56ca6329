package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.tasks.Tasks;

/**
 * The computation of each input, made by {@link Skeletons}. Immutable.
 *
 * <p>It travels to the nodes that take inputs, with the values that its functions hold. None of
 * these needs to be {@code Serializable}.
 *
 * @param <I> the type of an input
 * @param <O> the type of its result
 */
public abstract sealed class Skeleton<I extends @Nullable Object, O extends @Nullable Object>
    permits Conditional, Division, Farm, Loop, ParallelParts, Pipe, Repetition, SingleStep {

  Skeleton() {}

  /** Returns a skeleton that gives each result of this one to another. */
  public final <R extends @Nullable Object> Skeleton<I, R> then(Skeleton<? super O, R> next) {
    return new Pipe<>(this, next);
  }

  /**
   * Starts workers on nodes, which end with the flow. Nodes that join later take part, and inputs
   * of a lost node are repeated on others. This JVM has workers, too, if its node is among them.
   */
  public final Flow<I, O> on(Nodes nodes) {
    return Flow.owning(this, Tasks.on(nodes));
  }

  /** Starts workers in this JVM, which end with the flow. */
  public final Flow<I, O> here() {
    return Flow.owning(this, Tasks.here());
  }

  /** Uses workers that others use as well, and which outlive the flow. */
  public final Flow<I, O> on(Tasks tasks) {
    return Flow.sharing(this, tasks);
  }

  /**
   * Computes a result on the current worker, which waits for parallel parts.
   *
   * @throws StepException if a function failed
   */
  abstract O apply(I input, Position position) throws StepException;

  /** Returns how many steps it has, which are counted from left to right. */
  abstract int steps();
}
