package org.troupe.groups.spmd;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.groups.board.BoardMembers;

/** The orders of the reductions over a board, computed once each. Used by one thread. */
final class ReductionOrders {

  private final NodeId[] nodes; // of all members of the group, by rank
  private final Map<Integer, ReductionOrder> ofReduce = new HashMap<>(); // by leader
  private @Nullable ReductionOrder ofSmallAllReduce;
  private @Nullable ReductionOrder ofLargeAllReduce;

  ReductionOrders(NodeId[] nodes) {
    this.nodes = nodes;
  }

  ReductionOrder ofReduce(BoardMembers members, int leader) {
    return ofReduce.computeIfAbsent(leader, any -> ReductionOrder.ofReduce(members, nodes, leader));
  }

  ReductionOrder ofAllReduce(BoardMembers members, long bytes) {
    var isSmall = bytes <= CollectiveAlgorithm.LARGE_BYTES;
    var known = isSmall ? ofSmallAllReduce : ofLargeAllReduce;
    if (known != null) {
      return known;
    }
    var order = ReductionOrder.ofAllReduce(members, nodes, bytes);
    if (isSmall) {
      ofSmallAllReduce = order;
    } else {
      ofLargeAllReduce = order;
    }
    return order;
  }
}
