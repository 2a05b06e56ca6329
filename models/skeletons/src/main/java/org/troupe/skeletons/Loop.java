package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/** A skeleton as long as a condition holds of its last result, or of the input. */
final class Loop<T extends @Nullable Object> extends Skeleton<T, T> {

  private final Skeletons.Test<? super T> condition;
  private final Skeleton<T, T> inner;

  Loop(Skeletons.Test<? super T> condition, Skeleton<T, T> inner) {
    this.condition = condition;
    this.inner = inner;
  }

  @Override
  T apply(T input, Position position) throws StepException {
    var value = input;
    while (isTo(value, position)) {
      value = inner.apply(value, position.next());
    }
    return value;
  }

  private boolean isTo(T value, Position position) throws StepException {
    return position.<Boolean>run(() -> condition.test(value));
  }

  @Override
  int steps() {
    return 1 + inner.steps();
  }
}
