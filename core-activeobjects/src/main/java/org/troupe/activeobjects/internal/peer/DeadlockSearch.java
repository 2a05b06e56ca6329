package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.object.DelegationObserver;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.futures.FutureResult;

/** The search for waits over several nodes that can never end, as peers feed it. */
public interface DeadlockSearch extends DelegationObserver {

  /** The answer of a call of another node waits for a future. */
  void delegated(RemoteNode caller, long callId, String call, FutureResult<?> future);

  /** Goes on with a search that another node began. */
  void probed(RemoteNode from, Message.Probe probe);
}
