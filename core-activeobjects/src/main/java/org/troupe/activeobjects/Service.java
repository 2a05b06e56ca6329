package org.troupe.activeobjects;

/**
 * Implemented by a class whose active objects decide themselves which request to serve next.
 *
 * <p>Such an active object has a thread of its own, on which {@link #serve} runs from its creation
 * to its end; the object ends when the method returns, and the requests that wait then are refused.
 */
public interface Service {

  /** Serves requests until the object has done its work or {@link RequestQueue#isOpen} says no. */
  void serve(RequestQueue requests) throws InterruptedException;
}
