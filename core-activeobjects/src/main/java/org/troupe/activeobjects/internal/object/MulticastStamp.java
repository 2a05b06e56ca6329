package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.NodeId;

/**
 * The nodes that a multicast has gone to, and how many multicasts each has got from its origin.
 *
 * @param origin the node that made it
 * @param address where that can be reached
 * @param nodes the incarnations of the nodes that got it
 * @param counts how many multicasts each has got from the origin then
 */
public record MulticastStamp(NodeId origin, String address, long[] nodes, long[] counts) {

  /**
   * Returns how many multicasts of the origin a node must have taken before it takes what follows;
   * 0 if the node did not get this one.
   */
  public long countFor(long incarnation) {
    for (var i = 0; i < nodes.length; i++) {
      if (nodes[i] == incarnation) {
        return counts[i];
      }
    }
    return 0;
  }
}
