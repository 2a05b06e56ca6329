package org.troupe.activeobjects.internal.peer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.FailureReporter;
import org.troupe.activeobjects.internal.object.CallResult;

/** The words and reports about calls that were lost with a node. */
final class LostCalls {

  private static final int MOST_LISTED = 8;

  private LostCalls() {}

  /** Returns the message for the calls that have no answer. */
  static String describe(NodeId node, String reason, Collection<CallResult> open) {
    // Calls of the middleware concern a user only if nothing else explains the wait.
    var ofUsers = open.stream().filter(each -> !each.method().owner().isMiddleware()).toList();
    var listedCalls = ofUsers.isEmpty() ? List.copyOf(open) : ofUsers;
    var counts = new TreeMap<String, Integer>();
    listedCalls.forEach(each -> counts.merge(each.method().toString(), 1, Integer::sum));
    var listed =
        counts.entrySet().stream()
            .limit(MOST_LISTED)
            .map(each -> each.getKey() + " x" + each.getValue())
            .collect(Collectors.joining(", "));
    return "node '"
        + node
        + "' is gone: "
        + reason
        + "; "
        + listedCalls.size()
        + (listedCalls.size() == 1 ? " call to it is" : " calls to it are")
        + " lost: "
        + listed
        + (counts.size() > MOST_LISTED ? " ..." : "");
  }

  /** Counts calls by their known fate: served, arrived, or unknown. */
  private static String account(long served, long arrived, long unknown) {
    var parts = new ArrayList<String>();
    parts.add(
        (served == 0 ? "none is" : served == 1 ? "1 is" : served + " are")
            + " known to have been served");
    if (arrived > 0) {
      parts.add(
          arrived == 1
              ? "1 had arrived, but is not known to have ended"
              : "%d had arrived, but are not known to have ended".formatted(arrived));
    }
    if (unknown > 0) {
      parts.add("of %d nothing is known".formatted(unknown));
    }
    return String.join(", ", parts);
  }

  /**
   * Reports to the failure handlers how many one-way calls were served, accepted, or may be lost.
   */
  static void reportOneWay(
      NodeId node,
      FailureReporter failures,
      SendWindow.OneWayCalls calls,
      String reason,
      @Nullable ExitReport exitReport) {
    if (calls.sent() == calls.served()) {
      return;
    }
    var unknown = calls.unknown();
    var unknownCalls = unknown.stream().mapToLong(UnackedFrame::calls).sum();
    var accepted = calls.sent() - unknownCalls;
    var summary =
        ("node '%s' is gone: %s; of %d one-way %s to it, %s; to know that a call is served, await"
                + " it by ref.tell(..).join()")
            .formatted(
                node,
                reason,
                calls.sent(),
                calls.sent() == 1 ? "call" : "calls",
                account(calls.served(), accepted - calls.served(), unknownCalls));
    // Troupe's own objects hear of the loss itself.
    var ofUsers =
        unknown.stream()
            .filter(each -> each.oneWayCall() == null || !each.oneWayCall().owner().isMiddleware())
            .toList();
    for (var each : ofUsers) {
      failures.report(
          each.caller(),
          each.oneWayCall() + " on node '" + node.name() + "'",
          new NodeLostException(summary, exitReport));
    }
    if (ofUsers.isEmpty() && (unknown.isEmpty() || accepted > calls.served())) {
      failures.report(
          null, "one-way calls to node '" + node + "'", new NodeLostException(summary, exitReport));
    }
  }
}
