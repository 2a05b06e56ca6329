package org.troupe.activeobjects.collective;

import org.troupe.activeobjects.Request;

/**
 * Keeps requests of an active object from beginning, without a thread that waits: what barriers are
 * made of. Requests that run, stages and immediate methods are not held, nor is the object's end,
 * which comes behind the requests before it.
 */
public interface RequestGate {

  /** Lets requests begin again, as far as no other hold keeps them; from any thread. Idempotent. */
  void release();

  /** The gate admits more than before; from any thread. */
  void changed();

  /** Which requests may begin. Called under locks: short, and no user code. */
  interface Gate {

    /**
     * Says whether a request may begin. What was refused once is refused until the release, or a
     * change.
     */
    boolean admits(Request request);

    /** A request that was admitted begins. */
    default void begins(Request request) {}
  }

  /** A gate that nothing passes. */
  Gate CLOSED = request -> false;
}
