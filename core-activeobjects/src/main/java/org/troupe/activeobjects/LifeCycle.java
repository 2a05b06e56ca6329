package org.troupe.activeobjects;

/**
 * Implemented by a class that reacts to the start and end of its active object. Both methods run as
 * requests of the object.
 */
public interface LifeCycle {

  /** Runs before the first request is served. */
  default void started() {}

  /** Runs after the last request was served, when the object is terminated. */
  default void ended() {}
}
