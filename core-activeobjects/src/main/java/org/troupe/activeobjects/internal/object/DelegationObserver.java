package org.troupe.activeobjects.internal.object;

import org.troupe.futures.FutureResult;

/** Observes calls whose answer is a future without a value: such waits may form a cycle. */
@FunctionalInterface
public interface DelegationObserver {

  /** Reports that the answer of a call of this node waits for the future. */
  void delegated(CallResult call, FutureResult<?> future);
}
