package org.troupe.activeobjects.internal.relocation;

import org.troupe.activeobjects.NodeId;

/**
 * The other participants, as one node reaches them. Messages to one node arrive in the order sent,
 * once, or not at all if one of the two nodes dies. No method blocks, and none calls back.
 */
public interface RelocationNetwork<M> {

  /** Returns the number of the last view of the grid that this node has applied with all before. */
  long view();

  /**
   * Returns the number of the last view whose loss of a node this node has applied, perhaps before
   * earlier ones. It covers each node for which {@link #isDead} returns true.
   */
  long lastLoss();

  /** Returns whether this node has applied the death of another. */
  boolean isDead(NodeId node);

  /**
   * Returns whether nothing is to be sent to another node any more, which is so from the
   * announcement of its death on, before that is applied.
   */
  boolean isLost(NodeId node);

  /** Sends a message to the host of the object in the message's epoch. */
  void send(NodeId host, Routed<M> message);

  /** Sends the news that the object has moved to the owner of a route. */
  void sendRelocated(NodeId owner, int route, Place place);

  /** Sends the answer to a mark. */
  void sendSwitched(NodeId owner, Routed.Content.Mark<M> mark, Place place);

  /**
   * Drops a message that a dead node has forwarded: it would be served twice if the sender before
   * that node sends it again.
   */
  default void drop(Routed<M> message) {}

  /** Ends a message that cannot reach the object any more, because the object is lost. */
  void discard(Routed<M> message);

  /**
   * Returns whether a message may be {@linkplain #discard discarded} while the object is made anew
   * and refuses messages; any other waits for the object.
   */
  default boolean isRefusable(M message) {
    return true;
  }

  /** Requests the place of the object from the coordinator, for a route of this node. */
  void requestPlace(int route);
}
