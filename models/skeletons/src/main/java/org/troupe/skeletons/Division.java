package org.troupe.skeletons;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Divides an input until its parts are small, solves these, and merges the results. */
final class Division<I extends @Nullable Object, O extends @Nullable Object>
    extends Skeleton<I, O> {

  private final Skeletons.Test<? super I> isSmall;
  private final Skeletons.Step<? super I, ? extends List<? extends I>> split;
  private final Skeleton<? super I, ? extends O> solve;
  private final Skeletons.Step<? super List<O>, ? extends O> merge;

  Division(
      Skeletons.Test<? super I> isSmall,
      Skeletons.Step<? super I, ? extends List<? extends I>> split,
      Skeleton<? super I, ? extends O> solve,
      Skeletons.Step<? super List<O>, ? extends O> merge) {
    this.isSmall = isSmall;
    this.split = split;
    this.solve = solve;
    this.merge = merge;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    if (position.<Boolean>run(() -> isSmall.test(input))) {
      return solve.apply(input, position.behindSteps(2));
    }
    var parts = position.next().<List<? extends I>>run(() -> split.apply(input));
    var results = Parts.<I, O>inParallel(parts, this, position);
    return position.behindSteps(2 + solve.steps()).<O>run(() -> merge.apply(results));
  }

  @Override
  int steps() {
    return 3 + solve.steps();
  }
}
