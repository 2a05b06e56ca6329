package org.troupe.activeobjects;

/**
 * Implemented by a class that reacts to the start, the moves and the end of its active object. All
 * methods run as requests of the object.
 */
public interface LifeCycle {

  /** Runs before the first request is served. */
  default void started() {}

  /**
   * Runs after the last request that is served before the object moves to another node, or
   * {@linkplain Options#withIdle sleeps}. Releases threads, files and other things that cannot
   * travel.
   */
  default void leaving() {}

  /**
   * Runs before the first request that is served after a move; also where the object was before, if
   * the move failed after {@link #leaving}. Runs instead of {@link #started}, too, when the object
   * was made again from an image, of a {@linkplain Keep store} or of the search for cycles of
   * objects that nothing refers to, and when it wakes.
   */
  default void arrived() {}

  /**
   * Runs after the last request was served, when the object is terminated; not when it is collected
   * because nothing refers to it.
   */
  default void ended() {}
}
