package org.troupe.activeobjects.internal.relocation;

import org.troupe.activeobjects.NodeId;

/**
 * A node that hosts an object, and the epoch in which it does.
 *
 * @param epoch how many times the object had been embodied anew; 0 from its birth on
 */
public record Place(NodeId node, int epoch) {

  /** Returns whether an object was here before it was at the other place. */
  boolean isBefore(Place other) {
    return epoch < other.epoch;
  }
}
