package org.troupe.activeobjects.internal.object;

import org.troupe.futures.FutureResult;

/** Is told of calls whose answer is a future that has no value yet: such waits may form a cycle. */
@FunctionalInterface
public interface DelegationObserver {

  /** The answer of a call of this node waits for the future. */
  void delegated(CallResult call, FutureResult<?> future);
}
