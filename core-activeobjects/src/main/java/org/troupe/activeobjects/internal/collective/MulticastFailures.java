package org.troupe.activeobjects.internal.collective;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.futures.Outcome;

/** The outcomes of the calls of a multicast that are not sent. */
final class MulticastFailures {

  private final NodeObjects node;

  MulticastFailures(NodeObjects node) {
    this.node = node;
  }

  /** Fails a part whose answers cannot be combined, because an object of it has moved. */
  void failCombined(MulticastPart part, @Nullable Body caller) {
    var called = part.call().called();
    var why =
        new IllegalStateException(
            "the answers of "
                + called
                + " cannot be combined, because a member of the group has moved to another node;"
                + " collect them one by one");
    fail(part, caller, why);
  }

  void fail(MulticastPart part, @Nullable Body caller, RuntimeException why) {
    for (var i = 0; i < part.size(); i++) {
      fail(part, i, caller, why);
    }
  }

  void fail(MulticastPart part, int index, @Nullable Body caller, RuntimeException why) {
    var result = part.result(index);
    if (result == null) {
      node.failures().report(caller, part.call().called() + " of a group", why);
      return;
    }
    if (part.home() != null) {
      part.peer().outgoing().answered(result.callId);
    }
    result.settle(new Outcome.Failure<>(why));
  }

  /** Fails the calls of a part, whose node is lost. */
  void lost(MulticastPart part, @Nullable Body caller, NodeLostException e) {
    for (var i = 0; i < part.size(); i++) {
      lost(part, i, caller, e);
    }
  }

  void lost(MulticastPart part, int index, @Nullable Body caller, NodeLostException e) {
    var called = part.call().called();
    var result = part.result(index);
    if (result != null) {
      var unsent = e.getMessage() + "; " + result.describe() + " was not sent";
      result.settle(
          new Outcome.Failure<>(new NodeLostException(unsent, e.exitReport().orElse(null))));
    } else {
      node.failures().report(caller, called + " on node '" + part.peer().id().name() + "'", e);
    }
  }
}
