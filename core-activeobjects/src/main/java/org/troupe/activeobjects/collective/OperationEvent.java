package org.troupe.activeobjects.collective;

/**
 * The event of a collective operation in recordings of the JDK Flight Recorder, which has begun.
 */
@FunctionalInterface
public interface OperationEvent {

  /**
   * Ends it, at most once.
   *
   * @param operation what the members do together, for people
   * @param rank the member that states it
   */
  void ended(Object operation, Object algorithm, int members, int rank);
}
