package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/** One function. */
final class SingleStep<I extends @Nullable Object, O extends @Nullable Object>
    extends Skeleton<I, O> {

  private final Skeletons.Step<? super I, ? extends O> function;

  SingleStep(Skeletons.Step<? super I, ? extends O> function) {
    this.function = function;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    return position.<O>run(() -> function.apply(input));
  }

  @Override
  int steps() {
    return 1;
  }
}
