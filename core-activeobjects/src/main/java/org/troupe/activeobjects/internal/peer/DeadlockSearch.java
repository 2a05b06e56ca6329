package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.object.DelegationObserver;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.futures.FutureResult;

/** The search for wait cycles across nodes, as far as peers contribute to it. */
public interface DeadlockSearch extends DelegationObserver {

  /** Reports that the answer of a call of another node waits for a future. */
  void delegated(RemoteNode caller, long callId, String call, FutureResult<?> future);

  /** Continues a search that another node began. */
  void probed(RemoteNode from, Message.Probe probe);
}
