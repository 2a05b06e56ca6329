package org.troupe.activeobjects.collective;

import org.troupe.activeobjects.Request;

/**
 * Holds back requests of an active object without blocking a thread; the basis of barriers. Running
 * requests, stages and immediate methods are not held back. The end of the object stays behind the
 * requests before it.
 */
public interface RequestGate {

  /** Removes this gate; other gates of the object stay. May be called by any thread; idempotent. */
  void release();

  /** Announces that the gate admits more requests than before. May be called by any thread. */
  void changed();

  /** Decides which requests may begin. Called under locks: must be short and run no user code. */
  interface Gate {

    /**
     * Returns whether a request may begin. A refused request is not offered again before the
     * release or a change of the gate.
     */
    boolean admits(Request request);

    /** Called when the service of an admitted request begins. */
    default void begins(Request request) {}
  }

  /** A gate that admits no request. */
  Gate CLOSED = request -> false;
}
