package org.troupe.groups.internal;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.collective.CompositeStub;
import org.troupe.futures.Futures;
import org.troupe.stubs.Stubs;

/** Checks the objects to which the answers of a call are forwarded. */
public final class ReplyReceivers {

  private ReplyReceivers() {}

  /**
   * Requires that an object can receive answers from other JVMs; waits for it if it is a future.
   *
   * @return the same object
   * @throws IllegalArgumentException if it is neither an active object nor a typed group
   */
  public static <Q> Q require(Q object) {
    if (!(Stubs.handlerOf(Futures.value(object)) instanceof CompositeStub)
        && !ActiveObjects.isStub(object)) {
      throw new IllegalArgumentException(
          "answers are forwarded to an active object or a typed group, but the receiver is "
              + (object == null ? "null" : "a plain " + object.getClass().getName())
              + "; make it active with ActiveObjects.here().create(..), or gather the answers and"
              + " pass them on");
    }
    return object;
  }
}
