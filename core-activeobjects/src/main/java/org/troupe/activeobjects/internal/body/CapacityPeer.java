package org.troupe.activeobjects.internal.body;

import org.troupe.activeobjects.NodeId;

/** Another node, as far as this node and it negotiate the capacity of their queues. */
public interface CapacityPeer {

  /** Returns the node. */
  NodeId id();

  /** Returns whether the node has left or died. */
  boolean isLost();

  /**
   * Returns whether an object that was created on the node is lost with it: the node has left or
   * died, and the object had not moved.
   */
  boolean isLost(long number);

  /**
   * Returns whether the node's queues have used up their share of its heap, as it reported last.
   */
  boolean isBacklogged();

  /** Notifies the node whether the queues of this one have used up their share of its heap. */
  void sendBacklog(boolean isFull);

  /** Asks, during a backlog of the node, whether one call may go to an object of that node. */
  void requestCapacity(long number);

  /** Allows, during a backlog of this node, one call to an object of this node. */
  void grantCapacity(long number);
}
