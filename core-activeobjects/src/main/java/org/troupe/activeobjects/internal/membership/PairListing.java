package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.troupe.activeobjects.hosting.PairDetail;
import org.troupe.activeobjects.hosting.PairDetail.CalledMethod;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.peer.Peer;

/** Lists what a node has sent to another one. */
final class PairListing {

  private PairListing() {}

  /**
   * Returns what the node has sent to another one of the same grid; empty if it has sent nothing,
   * or that is lost.
   */
  static Optional<PairDetail> of(GridMembership grid, String other) {
    return grid.peers()
        .filter(each -> each.id().name().equals(other) && each.isLinked() && !each.isLost())
        .findFirst()
        .map(each -> detail(grid.node(), each));
  }

  private static PairDetail detail(LocalNode node, Peer peer) {
    var sent = peer.outbox().sent();
    List<CalledMethod> methods = new ArrayList<>();
    sent.calls().forEach((symbol, calls) -> add(node, symbol, calls, methods));
    methods.sort(
        Comparator.comparingLong(CalledMethod::calls)
            .reversed()
            .thenComparing(CalledMethod::type)
            .thenComparing(CalledMethod::method));
    var listed = Math.min(PairDetail.MOST_METHODS, methods.size());
    var rest = methods.subList(listed, methods.size());
    return new PairDetail(
        methods.subList(0, listed),
        rest.size(),
        rest.stream().mapToLong(CalledMethod::calls).sum(),
        sent.messages(),
        sent.slices(),
        sent.bytes(),
        peer.addresses());
  }

  /** Adds a method of the program; one whose class is unloaded has its name on the wire. */
  private static void add(LocalNode node, String symbol, long calls, List<CalledMethod> methods) {
    var separator = symbol.indexOf('#');
    var name = symbol.substring(0, separator);
    var method = symbol.substring(separator + 1);
    var type = node.classes().known().classNamed(name);
    if (type == null) {
      methods.add(new CalledMethod(name, method, calls));
      return;
    }
    var called = ActiveType.of(type);
    if (!called.isMiddleware()) {
      methods.add(new CalledMethod(name, called.method(method).method().toString(), calls));
    }
  }
}
