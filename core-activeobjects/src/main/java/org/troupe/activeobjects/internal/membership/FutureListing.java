package org.troupe.activeobjects.internal.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.FutureReport.OwedLine;
import org.troupe.activeobjects.hosting.FutureReport.PendingLine;
import org.troupe.activeobjects.internal.deadlock.WaitEdge;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.observe.ProgramFrames;
import org.troupe.activeobjects.internal.peer.Peer;

/** Lists the futures of a node that have not arrived. */
final class FutureListing {

  private FutureListing() {}

  /** Returns some of them, the oldest calls first. */
  static FutureReport of(LocalNode node, int most) {
    List<CallResult> pending = new ArrayList<>();
    List<OwedLine> owed = new ArrayList<>();
    add(node.moved().pending(), pending);
    for (var peer : node.peers().all()) {
      add(peer.outgoing().pending(), pending);
      peer.futures()
          .owed()
          .forEach(each -> owed.add(new OwedLine(each.describe(), peer.id().name())));
    }
    pending.sort(Comparator.comparingLong(each -> each.callId)); // ids ascend
    var now = System.nanoTime();
    var listed = Math.min(most, FutureReport.MOST);
    return new FutureReport(
        pending.stream().limit(listed).map(each -> line(node, each, now)).toList(),
        Math.max(0, pending.size() - listed),
        owed.stream().limit(listed).toList(),
        Math.max(0, owed.size() - listed));
  }

  /** Returns how many results have not arrived; of many, the middleware's few count, too. */
  static int pending(LocalNode node) {
    var moved = node.moved().pending().stream().filter(FutureListing::isOfProgram).count();
    return (int) moved
        + node.peers().all().stream()
            .mapToInt(peer -> peer.outgoing().pending(FutureListing::isOfProgram))
            .sum();
  }

  private static void add(List<CallResult> calls, List<CallResult> pending) {
    calls.stream().filter(FutureListing::isOfProgram).forEach(pending::add);
  }

  private static boolean isOfProgram(CallResult call) {
    return !call.method().owner().isMiddleware() && !call.method().isOfBody();
  }

  private static PendingLine line(LocalNode node, CallResult result, long now) {
    var caller = result.namedCaller();
    var site = result.site();
    var target = result.target().target();
    var place = node.moved().place(target.birth(), target.number());
    var home = result.peer();
    return new PendingLine(
        result.method().toString(),
        result.target().type().getName(),
        WaitEdge.identity(target),
        place != null ? place.node().name() : home == null ? "" : Peer.of(home).id().name(),
        caller == null ? "" : caller.identityText(),
        site == null ? "" : ProgramFrames.first(Stream.of(site)).orElse(""),
        result.isForOneOnly() || caller != null && caller.waitingFor == result,
        (now - node.objects().drawnAfter(result.callId)) / 1e9);
  }
}
