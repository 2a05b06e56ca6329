package org.troupe.activeobjects.internal.service;

import java.util.List;
import java.util.Optional;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.NodeDescription;

/** The types of the views of a grid and of its changes, which the coordinator puts in one order. */
public final class MembershipView {

  private MembershipView() {}

  /**
   * The members of the grid after a number of changes.
   *
   * @param number the number of changes that led to this view
   */
  public record View(long number, List<NodeDescription> members) {}

  /**
   * The answer to a node that joins.
   *
   * @param run the name of the grid's run in stores
   * @param outlived the nodes of earlier runs whose objects are in the grid
   */
  public record Admission(View view, String run, List<NodeId> outlived) {}

  /**
   * The state of a node, as the coordinator knows it.
   *
   * @param death how it died; empty if it is a member, has left in an orderly way, or was never one
   * @param hadMoved whether objects that were created there are on other nodes, or are made anew
   */
  public record Standing(boolean isMember, Optional<ExitReport> death, boolean hadMoved) {}

  /** A change from one view to the next. */
  public sealed interface Change {

    /** Returns the number of the view after the change. */
    long number();

    /** Returns whether the announcement of the change may wait for a batch. */
    default boolean canWait() {
      return switch (this) {
        case Joined _, Died _ -> true;
        case Leaving _, Left _ -> false; // the node ends after the announcement
      };
    }

    /** A node has joined. */
    record Joined(long number, NodeDescription member) implements Change {}

    /** A node is going to leave; it gets no new work. */
    record Leaving(long number, NodeId id, String reason) implements Change {}

    /**
     * A node has left in an orderly way.
     *
     * @param hadMoved whether objects that were created there, or were there, are on other nodes or
     *     are made anew, or this may be the loss of the last copy of an object
     */
    record Left(long number, NodeId id, String reason, boolean hadMoved) implements Change {}

    /**
     * A node has been declared dead.
     *
     * @param hadMoved as for {@link Left}
     */
    record Died(long number, NodeId id, ExitReport exit, boolean hadMoved) implements Change {}
  }
}
