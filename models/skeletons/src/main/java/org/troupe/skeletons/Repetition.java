package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/** A skeleton a number of times, each time with the result of the time before. */
final class Repetition<T extends @Nullable Object> extends Skeleton<T, T> {

  private final int times;
  private final Skeleton<T, T> inner;

  Repetition(int times, Skeleton<T, T> inner) {
    this.times = times;
    this.inner = inner;
  }

  @Override
  T apply(T input, Position position) throws StepException {
    var value = input;
    for (var i = 0; i < times; i++) {
      value = inner.apply(value, position);
    }
    return value;
  }

  @Override
  int steps() {
    return inner.steps();
  }
}
