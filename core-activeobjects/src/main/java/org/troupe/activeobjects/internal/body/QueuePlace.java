package org.troupe.activeobjects.internal.body;

/** A place in a bounded queue, which a request occupies until it is taken. */
@FunctionalInterface
public interface QueuePlace {

  /** Gives the place back to the account of the caller's node. */
  void free();

  /**
   * Records that the request follows its object to another node, which will give the place back.
   */
  default void leaves() {}
}
