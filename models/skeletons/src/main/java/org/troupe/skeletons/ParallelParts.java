package org.troupe.skeletons;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits an input into parts, takes each through a skeleton in parallel, and merges the results.
 */
final class ParallelParts<
        I extends @Nullable Object,
        P extends @Nullable Object,
        Q extends @Nullable Object,
        O extends @Nullable Object>
    extends Skeleton<I, O> {

  private final Skeletons.Step<? super I, ? extends List<? extends P>> split;
  private final List<Skeleton<? super P, ? extends Q>> inner;
  private final boolean isOneForAll;
  private final Skeletons.Step<? super List<Q>, ? extends O> merge;

  /**
   * Creates a skeleton.
   *
   * @param inner one for each part; or one for all parts
   */
  ParallelParts(
      Skeletons.Step<? super I, ? extends List<? extends P>> split,
      List<Skeleton<? super P, ? extends Q>> inner,
      boolean isOneForAll,
      Skeletons.Step<? super List<Q>, ? extends O> merge) {
    this.split = split;
    this.inner = List.copyOf(inner);
    this.isOneForAll = isOneForAll;
    this.merge = merge;
  }

  @Override
  O apply(I input, Position position) throws StepException {
    var parts = position.<List<? extends P>>run(() -> split.apply(input));
    if (!isOneForAll && parts.size() != inner.size()) {
      throw new StepException(
          position.stepsBefore() + 1,
          new IllegalStateException(
              "the input was split into "
                  + parts.size()
                  + " parts for "
                  + inner.size()
                  + " skeletons; split it into one part for each"));
    }
    List<Q> results =
        isOneForAll
            ? Parts.inParallel(parts, inner.getFirst(), position.next())
            : Parts.inParallel(parts, inner, position.next());
    var atEnd = new Position(position.stepsBefore() + steps() - 1, position.flow());
    return atEnd.<O>run(() -> merge.apply(results));
  }

  @Override
  int steps() {
    return 2 + inner.stream().mapToInt(Skeleton::steps).sum();
  }
}
