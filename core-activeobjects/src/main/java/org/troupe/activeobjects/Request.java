package org.troupe.activeobjects;

import org.troupe.stubs.StubMethod;

/** A call in a request queue, as the object's {@link Service} sees it. */
public interface Request {

  /** Returns the method that was called. */
  StubMethod method();

  /** Returns whether the method has this name. */
  default boolean isFor(String methodName) {
    return method().name().equals(methodName);
  }

  /** Returns whether the call is one-way: its caller gets no reply. */
  boolean isOneWay();
}
