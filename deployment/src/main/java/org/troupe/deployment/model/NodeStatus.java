package org.troupe.deployment.model;

import java.util.OptionalLong;

/**
 * How a node of a grid is doing.
 *
 * @param host where it runs; before a batch system has chosen one, the batch system
 * @param pid of its process on its host; empty if it is not known
 * @param state where it is in its life
 * @param detail how it ended, or what it waits for before it runs; empty if there is no more to say
 */
public record NodeStatus(
    PlannedNode plan, String host, OptionalLong pid, State state, String detail) {

  /** Where a node is in its life. */
  public enum State {
    /** Its process runs and has not yet joined the grid. */
    STARTING,
    /** It is a member of the grid. */
    JOINED,
    /** Its process has ended. */
    ENDED
  }
}
