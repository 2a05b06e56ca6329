package org.troupe.activeobjects.internal.body;

import org.troupe.activeobjects.NodeId;

/**
 * The nodes that a multicast was sent to, and the number of multicasts that each of them has
 * received from its origin.
 *
 * @param origin the node that made it
 * @param address the address of the origin
 * @param nodes the incarnations of the receiving nodes
 * @param counts the number of multicasts from the origin that each node has received, this one
 *     included
 */
public record MulticastStamp(NodeId origin, String address, long[] nodes, long[] counts) {

  /**
   * Returns how many multicasts of the origin a node must have taken before it takes messages that
   * follow this one; 0 if the node did not receive this one.
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
