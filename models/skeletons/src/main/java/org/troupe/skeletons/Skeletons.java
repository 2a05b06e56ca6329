package org.troupe.skeletons;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes skeletons.
 *
 * {@snippet file="org/troupe/skeletons/SkeletonsSnippets.java" region="farm"}
 *
 * <p>Functions run on the worker that takes an input, perhaps on another node, so they work on
 * copies of inputs and report by their results only. Their exceptions are outcomes of inputs. After
 * the loss of a node its inputs are taken by others, so the side effects of a function should do no
 * harm if they happen twice. A function may wait for nothing but tasks, or do so within {@link
 * org.troupe.tasks.Tasks#blocking}.
 */
public final class Skeletons {

  private Skeletons() {}

  /** A function of an input. */
  @FunctionalInterface
  public interface Step<I extends @Nullable Object, O extends @Nullable Object>
      extends Serializable {

    /** Returns the result. */
    O apply(I input) throws Exception;
  }

  /** A condition of an input. */
  @FunctionalInterface
  public interface Test<I extends @Nullable Object> extends Serializable {

    /** Returns whether it holds. */
    boolean test(I input) throws Exception;
  }

  /** Makes the state of a worker. */
  @FunctionalInterface
  public interface StateMaker<S> extends Serializable {

    /** Returns a new state. */
    S make() throws Exception;
  }

  /** A function of an input and of the state of the worker that has it. */
  @FunctionalInterface
  public interface StateStep<S, I extends @Nullable Object, O extends @Nullable Object>
      extends Serializable {

    /** Returns the result. */
    O apply(S state, I input) throws Exception;
  }

  /** One function. */
  public static <I extends @Nullable Object, O extends @Nullable Object> Skeleton<I, O> step(
      Step<? super I, ? extends O> function) {
    return new SingleStep<>(function);
  }

  /**
   * A farm of workers, each with a state of its own: a solver, a parser, a connection. It is made
   * on the worker at its first input, used by one call at a time, and ends with the worker.
   */
  public static <S, I extends @Nullable Object, O extends @Nullable Object> Skeleton<I, O> farm(
      StateMaker<? extends S> state, StateStep<? super S, ? super I, ? extends O> function) {
    return new Farm<S, I, O>(state, function);
  }

  /** One skeleton after another, as {@link Skeleton#then}. */
  public static <I extends @Nullable Object, M extends @Nullable Object, O extends @Nullable Object>
      Skeleton<I, O> pipe(Skeleton<I, M> first, Skeleton<? super M, O> second) {
    return first.then(second);
  }

  /** Splits an input, takes all parts through a skeleton in parallel, and merges the results. */
  public static <
          I extends @Nullable Object,
          P extends @Nullable Object,
          Q extends @Nullable Object,
          O extends @Nullable Object>
      Skeleton<I, O> map(
          Step<? super I, ? extends List<? extends P>> split,
          Skeleton<? super P, ? extends Q> inner,
          Step<? super List<Q>, ? extends O> merge) {
    return new ParallelParts<I, P, Q, O>(split, List.of(inner), true, merge);
  }

  /**
   * Splits an input into as many parts as there are skeletons, takes each through its own in
   * parallel, and merges the results.
   */
  public static <
          I extends @Nullable Object,
          P extends @Nullable Object,
          Q extends @Nullable Object,
          O extends @Nullable Object>
      Skeleton<I, O> fork(
          Step<? super I, ? extends List<? extends P>> split,
          List<? extends Skeleton<? super P, ? extends Q>> inner,
          Step<? super List<Q>, ? extends O> merge) {
    return new ParallelParts<I, P, Q, O>(split, List.copyOf(inner), false, merge);
  }

  /** Divides an input until its parts are small, solves these, and merges the results. */
  public static <I extends @Nullable Object, O extends @Nullable Object> Skeleton<I, O> divide(
      Test<? super I> isSmall,
      Step<? super I, ? extends List<? extends I>> split,
      Skeleton<? super I, ? extends O> solve,
      Step<? super List<O>, ? extends O> merge) {
    return new Division<I, O>(isSmall, split, solve, merge);
  }

  /** One of two skeletons, as a condition says. */
  public static <I extends @Nullable Object, O extends @Nullable Object> Skeleton<I, O> when(
      Test<? super I> condition,
      Skeleton<? super I, ? extends O> then,
      Skeleton<? super I, ? extends O> otherwise) {
    return new Conditional<I, O>(condition, then, otherwise);
  }

  /**
   * A skeleton a number of times, each time with the result of the time before.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static <T extends @Nullable Object> Skeleton<T, T> repeat(
      int times, Skeleton<T, T> inner) {
    if (times < 0) {
      throw new IllegalArgumentException(
          "repeat(" + times + ", ..) cannot be done; give 0 or more");
    }
    return new Repetition<>(times, inner);
  }

  /** A skeleton as long as a condition holds of its last result, at first of the input. */
  public static <T extends @Nullable Object> Skeleton<T, T> during(
      Test<? super T> condition, Skeleton<T, T> inner) {
    return new Loop<>(condition, inner);
  }
}
