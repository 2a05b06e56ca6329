package org.troupe.groups.spmd;

import org.troupe.activeobjects.Node;

/**
 * Where the node of a member is.
 *
 * @param cluster the name of the cluster
 * @param host the name of the machine, which another cluster may use, too
 */
record MemberLocation(String cluster, String host) {

  static MemberLocation of(Node node) {
    return new MemberLocation(node.cluster(), node.host());
  }
}
