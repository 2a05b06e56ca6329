package org.troupe.activeobjects.collective;

/**
 * Counts the parts of a node's members of a group in collective operations of one kind.
 * Thread-safe.
 */
@FunctionalInterface
public interface OperationCounter {

  /**
   * Counts a part that has ended, unless nothing is observed now.
   *
   * @param bytes the size of the numbers that the member has given to others
   */
  void add(long bytes);
}
