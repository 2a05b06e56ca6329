package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.ReplyDelivery;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** The futures whose values one of two nodes has to send to the other. */
public final class ForwardedFutures {

  private final NodeObjects node;
  private final GridNode peer;
  private final MessageSink out;

  private final Map<Long, FutureResult<?>> registered =
      new ConcurrentHashMap<>(); // awaited by the other node
  private final Map<Long, ForwardedFuture> holders =
      new ConcurrentHashMap<>(); // awaited from the other node

  ForwardedFutures(NodeObjects node, GridNode peer, MessageSink out) {
    this.node = node;
    this.peer = peer;
    this.out = out;
  }

  // Futures for which the other node waits

  /**
   * Registers a future of this node for which the other node waits; returns the number that
   * identifies it there.
   */
  long register(FutureResult<?> result) {
    var future = node.nextId();
    registered.put(future, result); // under the lock of the outbox: not lost yet
    result.claim();
    result.onSettled(outcome -> Thread.startVirtualThread(() -> send(future, result, outcome)));
    return future;
  }

  private void send(long future, FutureResult<?> result, Outcome<?> outcome) {
    if (registered.remove(future) == null) {
      return; // the other node is gone
    }
    try {
      switch (node.marshaller().failures().fresh(outcome, ReplyDelivery.siteOf(result))) {
        case Outcome.Success<?>(Object value) -> {
          var payload = node.marshaller().encode(value);
          out.send(0, new Message.Value(future, payload.values().side()), payload);
        }
        case Outcome.Failure<?>(Throwable cause) -> sendFailure(future, cause);
        case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
      }
    } catch (RuntimeException | Error e) {
      sendFailure(future, e);
    }
  }

  private void sendFailure(long future, Throwable cause) {
    var form = GridBoundary.encodedFailure(cause, node, peer.access());
    out.send(0, new Message.ValueFailed(future, form.summary(), form.side()), form.exception());
  }

  /** Returns a future for which the other node waits, or {@code null}. */
  public @Nullable FutureResult<?> registered(long future) {
    return registered.get(future);
  }

  /** Returns the futures for which the other node waits. */
  public List<FutureResult<?>> owed() {
    return List.copyOf(registered.values());
  }

  // Futures for which this node waits

  /** Returns the future for a value that the other node will send. */
  ForwardedFuture holder(long future, String description, byte @Nullable [] context) {
    var holder = new ForwardedFuture(node, peer, future, description, context);
    holders.put(future, holder);
    if (peer.isLost() && holders.remove(future) != null) {
      var lost = Objects.requireNonNull(out.lost(), "the loss of a lost node");
      fail(
          holder,
          lost.getMessage() + "; awaited from it: " + description,
          lost.exitReport().orElse(null));
    }
    return holder;
  }

  /** Returns the future of a value that has arrived; {@code null} if it is no longer awaited. */
  @Nullable ForwardedFuture settled(long future) {
    return holders.remove(future);
  }

  /** Returns the number of futures in both directions. */
  int size() {
    return holders.size() + registered.size();
  }

  /** Ends all futures when the other node is lost. */
  void lose(String message, @Nullable ExitReport exitReport) {
    for (var future : List.copyOf(holders.keySet())) {
      var holder = holders.remove(future);
      if (holder != null) {
        fail(holder, message + "; awaited from it: " + holder.describe(), exitReport);
      }
    }
    registered.clear();
  }

  /** Fails a future whose value can no longer arrive. */
  static void fail(FutureResult<Object> result, String message, @Nullable ExitReport exitReport) {
    result.settle(new Outcome.Failure<>(new NodeLostException(message, exitReport)));
  }
}
