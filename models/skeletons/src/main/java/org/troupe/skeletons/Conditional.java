package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/** One of two skeletons, as a condition says. */
final class Conditional<I extends @Nullable Object, O extends @Nullable Object>
    extends Skeleton<I, O> {

  private final Skeletons.Test<? super I> condition;
  private final Skeleton<? super I, ? extends O> then;
  private final Skeleton<? super I, ? extends O> otherwise;

  Conditional(
      Skeletons.Test<? super I> condition,
      Skeleton<? super I, ? extends O> then,
      Skeleton<? super I, ? extends O> otherwise) {
    this.condition = condition;
    this.then = then;
    this.otherwise = otherwise;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    return position.<Boolean>run(() -> condition.test(input))
        ? then.apply(input, position.next())
        : otherwise.apply(input, position.behindSteps(1 + then.steps()));
  }

  @Override
  int steps() {
    return 1 + then.steps() + otherwise.steps();
  }
}
