package org.troupe.deployment.model;

import java.util.OptionalLong;

/**
 * The status of a node of a grid.
 *
 * @param host the host on which it runs; the batch system, until that has chosen a host
 * @param pid the id of its process on its host; empty if it is not known
 * @param state the phase of its life
 * @param detail the reason for its end, or the event that its start waits for; empty if there is
 *     none
 */
public record NodeStatus(
    PlannedNode plan, String host, OptionalLong pid, State state, String detail) {

  /** The detail of a node that has ended because the program, or a user, has released it. */
  public static final String RELEASED = "it was released";

  /** The phase of a node's life. */
  public enum State {
    /** Its process runs and has not yet joined the grid. */
    STARTING,
    /** It is a member of the grid. */
    JOINED,
    /** Its process has ended. */
    ENDED
  }
}
