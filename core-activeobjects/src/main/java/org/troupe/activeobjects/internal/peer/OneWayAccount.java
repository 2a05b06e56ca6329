package org.troupe.activeobjects.internal.peer;

/**
 * The account of a one-way call at the node that has sent it here, which is that of the caller or
 * one that the called object has left. Thread-safe.
 */
public interface OneWayAccount {

  /** The account of a call with an answer or a name, or one of this node. */
  OneWayAccount NONE = () -> {};

  /** Counts the call as served: it was, or another node has it now, or its failure was reported. */
  void served();
}
