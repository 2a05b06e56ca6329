package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The actions of a test at the steps of one protocol; none outside of tests. Thread-safe.
 *
 * @param <S> the steps
 */
final class FaultPlan<S> {

  private volatile @Nullable BiConsumer<S, NodeId> actions;

  /** Sets the actions, or none. */
  void follow(@Nullable BiConsumer<S, NodeId> next) {
    actions = next;
  }

  /** Runs the action at a step on a node, which continues when the action returns. */
  void passes(S step, NodeId node) {
    var known = actions;
    if (known != null) {
      known.accept(step, node);
    }
  }
}
