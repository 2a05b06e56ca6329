package org.troupe.activeobjects.internal.capacity;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CapacityPeer;

/**
 * The queue of one object, on this node or on another. A bounded queue that moves with its object
 * keeps the home and number of its birth, so that the account of its callers does.
 *
 * @param home the body if it is of this node, else a {@link CapacityPeer}
 * @param number 0, or the number by which the other node knows the object
 */
public record CallQueue(Object home, long number) {

  /** Returns the queue of a body of this node. */
  public static CallQueue of(Body body) {
    var birthplace = body.queueBound() == 0 ? null : body.birthplace();
    var origin = body.origin();
    return birthplace == null || origin == null
        ? new CallQueue(body, 0)
        : new CallQueue(birthplace, birthplace instanceof Body ? 0 : origin.number());
  }

  /** Returns the body that takes requests from the queue; {@code null} if it is of another node. */
  public @Nullable Body body() {
    return home instanceof Body body ? body : null;
  }

  String nodeName() {
    return switch (home) {
      case Body body -> body.node().name();
      case CapacityPeer peer -> peer.id().name();
      default -> throw new AssertionError(home);
    };
  }

  boolean isOfLostNode() {
    return home instanceof CapacityPeer peer && peer.isLost(number);
  }

  /**
   * Returns whether the object is behind while its node has a backlog, as far as this node knows.
   */
  boolean isBehind() {
    return switch (home) {
      case Body body -> body.isBehind() && body.node().memory().isFull();
      case CapacityPeer peer -> peer.isBacklogged();
      default -> throw new AssertionError(home);
    };
  }
}
