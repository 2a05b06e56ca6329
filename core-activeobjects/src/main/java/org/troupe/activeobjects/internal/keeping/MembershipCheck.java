package org.troupe.activeobjects.internal.keeping;

import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.futures.Outcome;

/**
 * Decides whether a failure that an object of this node sees may have no other cause than that the
 * node was cut off from its grid, or that the grid ends. The object will then be made again, on
 * another node or in the next run, and must not remember the failure. Thread-safe.
 */
final class MembershipCheck {

  private static final int MOST_CAUSES = 100; // a chain of causes may be a cycle

  private final ImageCodec images;
  private final boolean wasInGrid;

  MembershipCheck(Body body, ImageCodec images) {
    this.images = images;
    this.wasInGrid = body.origin() != null || images.isMember(); // only a grid brings it here
  }

  /**
   * Returns whether the node of the object has left the grid in which it was created, or knows that
   * the grid ends. Does not block.
   */
  boolean isCutOff() {
    return wasInGrid && !images.isInGrid();
  }

  /**
   * Returns whether the node of the object has left its grid, or the grid ends. Asks the
   * coordinator, so the calling thread must not be one on which others depend.
   */
  boolean isCutOffNow() {
    return wasInGrid && !images.isInLastingGrid();
  }

  /**
   * Returns whether a call may have failed only because the object is cut off: another node is lost
   * to its own, or an object of its node has ended whose journal another node has. Asks the
   * coordinator if the failure may come from a loss.
   */
  boolean isCutOff(Outcome<Object> outcome) {
    return outcome.settled() instanceof Outcome.Failure<Object>(Throwable failure)
        && isCutOff(failure);
  }

  /**
   * Returns whether a call may have failed with an exception only because the object is cut off.
   */
  boolean isCutOff(Throwable failure) {
    return isCutOff() || mayBeLoss(failure) && isCutOffNow();
  }

  /**
   * Returns whether an exception may come from the loss of an object, or of a node, also if code of
   * users has wrapped it. A time limit that has passed does not count: it is the decision of the
   * caller, whose call is served all the same, be it in the next run.
   */
  static boolean mayBeLoss(Throwable failure) {
    var cause = failure;
    for (var depth = 0; cause != null && depth < MOST_CAUSES; depth++, cause = cause.getCause()) {
      if (cause instanceof CallException && !isNeverLoss(cause)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNeverLoss(Throwable failure) {
    return failure instanceof CallTimeoutException
        || failure instanceof OverloadedException
        || failure instanceof UnsuitableClassException
        || failure instanceof WaitCycleException;
  }
}
