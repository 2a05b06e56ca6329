package org.troupe.replicas;

import org.troupe.activeobjects.hosting.MiddlewareObject;

/** A member of a replicated object: the active object of a node that receives its messages. */
interface ReplicaMember extends MiddlewareObject {

  /** Takes a message of another member. */
  void receive(OrderMessage message);

  /** Makes a replica of a state; returns when it is there. */
  boolean begin(OrderMessage.State state);

  /** Gives a write its place in the order, if this member is the sequencer; repeats an answer. */
  Place order(Change.Write write);

  /**
   * Adds a member to the order, if this member is the sequencer.
   *
   * @return whether it has
   */
  boolean join(ReplicaMember newcomer);

  /** Ends the replica: later calls on its stubs fail. */
  void end(String why);
}
