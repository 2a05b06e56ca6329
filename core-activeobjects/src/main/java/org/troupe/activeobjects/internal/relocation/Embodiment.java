package org.troupe.activeobjects.internal.relocation;

import org.troupe.activeobjects.NodeId;

/** An object on a node that hosts or hosted it, as the protocol of moving uses it. */
public interface Embodiment<M> {

  /** Adds a message to the queue. */
  void take(M message);

  /**
   * Adds a message to the queue of an object that has left. When its turn has come, it goes to
   * {@link ObjectWhereabouts#forward}.
   */
  void take(NodeId sender, Routed<M> message);

  /**
   * Ends the service: from now on every queued message goes to {@link ObjectWhereabouts#passOn} or
   * {@link ObjectWhereabouts#forward}, oldest first. {@link ObjectWhereabouts#tailPassedOn} follows
   * the messages that are queued now.
   */
  void depart();

  /** Begins or resumes the service. */
  void resume();
}
