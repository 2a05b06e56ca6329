package org.troupe.groups.spmd;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.troupe.activeobjects.NodeId;

/** The orders of the reductions of a group, computed once each. Used by one thread. */
final class ReductionOrders {

  private enum Use {
    SMALL_ALL_REDUCE,
    LARGE_ALL_REDUCE,
    ALL_REDUCED_NUMBERS,
    REDUCED_NUMBERS
  }

  private final NodeId[] nodes; // by rank
  private final boolean isInRankOrder; // whether the members of each node have consecutive ranks
  private final ReductionOrder[] known = new ReductionOrder[Use.values().length];
  private final Map<Integer, ReductionOrder> ofReduce = new HashMap<>(); // by root

  ReductionOrders(NodeId[] nodes, boolean isInRankOrder) {
    this.nodes = nodes;
    this.isInRankOrder = isInRankOrder;
  }

  ReductionOrder ofAllReduce(long bytes) {
    return known(
        bytes <= ArrayCollectives.LARGE ? Use.SMALL_ALL_REDUCE : Use.LARGE_ALL_REDUCE,
        () -> ReductionOrder.ofAllReduce(nodes, bytes));
  }

  ReductionOrder ofAllReducedNumbers() {
    return known(
        Use.ALL_REDUCED_NUMBERS, () -> ReductionOrder.ofAllReducedNumbers(nodes, isInRankOrder));
  }

  ReductionOrder ofReducedNumbers() {
    return known(Use.REDUCED_NUMBERS, () -> ReductionOrder.ofReducedNumbers(nodes, isInRankOrder));
  }

  ReductionOrder ofReduce(int root) {
    return ofReduce.computeIfAbsent(root, any -> ReductionOrder.ofReduce(nodes, root));
  }

  private ReductionOrder known(Use use, Supplier<ReductionOrder> made) {
    var order = known[use.ordinal()];
    if (order == null) {
      order = made.get();
      known[use.ordinal()] = order;
    }
    return order;
  }
}
