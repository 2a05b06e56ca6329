package org.troupe.activeobjects;

/**
 * Implemented by a class whose active objects choose the order in which they serve requests.
 *
 * <p>Such an active object has a thread of its own, on which {@link #serve} runs from its creation
 * to its end. The object ends when the method returns; requests that still wait are refused. Only
 * objects of {@link Resumable} classes can move.
 */
public interface Service {

  /** Serves requests until the work is done or {@link RequestQueue#isOpen} is {@code false}. */
  void serve(RequestQueue requests) throws InterruptedException;
}
