package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ReplyDelivery;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The futures whose values this node owes another, and those whose values the other owes. */
public final class ForwardedFutures {

  private final NodeObjects node;
  private final GridNode peer;
  private final MessageSink out;

  private final Map<Long, FutureResult<?>> owed = new ConcurrentHashMap<>(); // to the other node
  private final Map<Long, ForwardedFuture> holders =
      new ConcurrentHashMap<>(); // of what the other owes

  ForwardedFutures(NodeObjects node, GridNode peer, MessageSink out) {
    this.node = node;
    this.peer = peer;
    this.out = out;
  }

  // Owed to the other node

  /** Notes that the other node waits for a future of this one, and returns its number there. */
  long owe(FutureResult<?> result) {
    var future = node.nextId();
    owed.put(future, result); // under the lock of the outbox: not lost yet
    result.claim();
    result.onSettled(outcome -> Thread.startVirtualThread(() -> pay(future, result, outcome)));
    return future;
  }

  private void pay(long future, FutureResult<?> result, Outcome<?> outcome) {
    if (owed.remove(future) == null) {
      return; // the other node is gone
    }
    try {
      switch (node.copies().failures().fresh(outcome, ReplyDelivery.siteOf(result))) {
        case Outcome.Success<?>(Object value) -> {
          var payload = node.copies().encode(value);
          out.send(0, new Message.Value(future, payload.values().side()), payload);
        }
        case Outcome.Failure<?>(Throwable cause) -> payFailure(future, cause);
        case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
      }
    } catch (RuntimeException | Error e) {
      payFailure(future, e);
    }
  }

  private void payFailure(long future, Throwable cause) {
    var form = GridBoundary.encodedFailure(cause, node, peer.access());
    out.send(0, new Message.ValueFailed(future, form.summary(), form.side()), form.exception());
  }

  /** A future that the other node waits for, or {@code null}. */
  public FutureResult<?> owed(long future) {
    return owed.get(future);
  }

  // Owed by the other node

  /** A future that the other node owes. */
  ForwardedFuture holder(long future, String description) {
    var holder = new ForwardedFuture(node, peer, future, description);
    holders.put(future, holder);
    if (peer.isLost() && holders.remove(future) != null) {
      var lost = out.lost();
      fail(holder, lost.getMessage() + "; it owed " + description, lost.certificate().orElse(null));
    }
    return holder;
  }

  /** Who waits for a value that has come; {@code null} if nobody does. */
  ForwardedFuture settled(long future) {
    return holders.remove(future);
  }

  /** How many there are. */
  int size() {
    return holders.size() + owed.size();
  }

  /** The other node is gone, and owes nothing any more, nor is owed anything. */
  void lose(String message, ExitReport certificate) {
    for (var future : List.copyOf(holders.keySet())) {
      var holder = holders.remove(future);
      if (holder != null) {
        fail(holder, message + "; it owed " + holder.describe(), certificate);
      }
    }
    owed.clear();
  }

  /** Settles what will never come. */
  static void fail(FutureResult<Object> result, String message, ExitReport certificate) {
    result.settle(new Outcome.Failure<>(new NodeLostException(message, certificate)));
  }
}
