package org.troupe.activeobjects.internal.membership;

import java.util.List;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.NodeDescription;

/** Who belongs to a grid, as its coordinator decides it, in one order for all. */
public final class MembershipView {

  private MembershipView() {}

  /**
   * The grid at one moment.
   *
   * @param number how many changes led to it
   */
  record View(long number, List<NodeDescription> members) {}

  /** A step from one view to the next. */
  sealed interface Change {

    /** The number of the view that it leads to. */
    long number();

    /** Says whether members may be told of it a moment later, with others. */
    default boolean canWait() {
      return switch (this) {
        case Joined _, Died _ -> true;
        case Leaving _, Left _ -> false; // the leaver goes when all have been told
      };
    }

    /** A node has joined. */
    record Joined(long number, NodeDescription member) implements Change {}

    /** A node is going to leave: nothing new is to begin on it. */
    record Leaving(long number, NodeId id, String reason) implements Change {}

    /** A node has left, in good order. */
    record Left(long number, NodeId id, String reason) implements Change {}

    /** A node has been declared dead. */
    record Died(long number, NodeId id, ExitReport certificate) implements Change {}
  }
}
