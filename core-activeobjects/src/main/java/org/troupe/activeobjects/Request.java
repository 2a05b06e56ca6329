package org.troupe.activeobjects;

import org.troupe.stubs.StubMethod;

/** A call that waits in a request queue, as the object's own service sees it. */
public interface Request {

  /** Returns the method that was called. */
  StubMethod method();

  /** Says whether the method has this name. */
  default boolean isFor(String methodName) {
    return method().name().equals(methodName);
  }

  /** Says whether nobody waits for an answer. */
  boolean isOneWay();
}
