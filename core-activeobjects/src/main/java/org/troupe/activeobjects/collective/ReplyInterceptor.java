package org.troupe.activeobjects.collective;

import org.jspecify.annotations.Nullable;

/**
 * Processes the reply of each called object of a group call on its own node, before it is sent
 * back. It travels with the call; each called object has a copy of its own.
 */
public interface ReplyInterceptor {

  /**
   * Called after the method has returned, on the thread that serves the object.
   *
   * @param place the index of the object among the called objects of this node, from 0
   * @param answer the result of the method; may be a future
   * @return the result to be sent to the caller; may be a future
   */
  @Nullable Object answered(int place, @Nullable Object answer) throws Throwable;

  /** Called after the method has thrown; the value or exception of this method is sent back. */
  default @Nullable Object failed(int place, Throwable failure) throws Throwable {
    throw failure;
  }

  /**
   * Returns whether the answers of objects of one node are combined there, which needs objects that
   * have not moved.
   */
  default boolean combinesOnNode() {
    return false;
  }
}
