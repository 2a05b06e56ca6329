package org.troupe.activeobjects.collective;

/**
 * What becomes of the answers to a multicast where they are given, before anything goes back.
 * Travels with the call: each object that is called has a copy of its own.
 */
public interface ReplyInterceptor {

  /**
   * The object has answered; on the thread that serves it, in its turn.
   *
   * @param place which of the objects of this node it is that got the call, from 0
   * @param answer what its method returned; may be a future
   * @return what goes back to the caller; may be a future
   */
  Object answered(int place, Object answer) throws Throwable;

  /** The object's method threw; what this returns or throws goes back to the caller. */
  default Object failed(int place, Throwable failure) throws Throwable {
    throw failure;
  }
}
