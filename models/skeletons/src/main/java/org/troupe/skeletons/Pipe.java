package org.troupe.skeletons;

import org.jspecify.annotations.Nullable;

/**
 * One skeleton after another. The worker that has an input takes it through both: a boundary
 * between them would only move data.
 */
final class Pipe<I extends @Nullable Object, M extends @Nullable Object, O extends @Nullable Object>
    extends Skeleton<I, O> {

  private final Skeleton<I, M> first;
  private final Skeleton<? super M, O> second;

  Pipe(Skeleton<I, M> first, Skeleton<? super M, O> second) {
    this.first = first;
    this.second = second;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    return second.apply(first.apply(input, position), position.behind(first));
  }

  @Override
  int steps() {
    return first.steps() + second.steps();
  }
}
