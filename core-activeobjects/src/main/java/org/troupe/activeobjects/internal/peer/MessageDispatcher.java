package org.troupe.activeobjects.internal.peer;

import java.util.List;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyExtensions;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.futures.Outcome;
import org.troupe.serialization.SerializationException;

/** Passes the ordered messages of another node to the parts of this one that handle them. */
final class MessageDispatcher {

  private static final Outcome<Object> NULL = new Outcome.Success<>(null);

  private final Peer peer;
  private final NodeObjects node;
  private final DeadlockSearch deadlocks;

  MessageDispatcher(Peer peer, NodeObjects node, DeadlockSearch deadlocks) {
    this.peer = peer;
    this.node = node;
    this.deadlocks = deadlocks;
  }

  /**
   * Takes an ordered message, under the lock of the inbox.
   *
   * @param mayServe whether the calling thread belongs to the exchange
   * @return the work to do after that lock is released, or {@code null}
   */
  Runnable take(Message message, long callId, Frame frame, Exchange exchange, boolean mayServe) {
    if (message instanceof Message.Call call) {
      return peer.incoming().take(call, callId, frame, exchange, mayServe, null, 0);
    }
    Inbox.decline(exchange);
    return switch (message) {
      case Message.Reply reply -> takeReply(reply, callId, frame);
      case Message.FutureUpdate update -> takeFuture(update, frame);
      default -> {
        takeHere(message, callId, frame);
        yield null;
      }
    };
  }

  private Runnable takeReply(Message.Reply reply, long callId, Frame frame) {
    if (reply instanceof Message.OneWayFailed failed) {
      reportOneWay(failed, frame);
      return null;
    }
    var result = peer.outgoing().answered(callId);
    if (result == null) {
      return null; // it was given up
    }
    return result.settleLater(
        switch (reply) {
          case Message.Answer(List<Object> side) ->
              frame.body().length == 0
                  ? NULL
                  : result.decoded(
                      peer.payload(frame, side, node.marshaller().resultCodec(result.method())));
          case Message.Simple(Object value) -> new Outcome.Success<>(value);
          case Message.Failed(FailureSummary summary, List<Object> side) ->
              node.marshaller().failures().outcome(failure(summary, frame, side), result.site());
          case Message.OneWayFailed failed -> throw new AssertionError(failed);
        });
  }

  private void reportOneWay(Message.OneWayFailed failed, Frame frame) {
    var encoded = failure(failed.summary(), frame, failed.side());
    var body = failed.caller() == 0 ? null : node.body(failed.caller());
    Thread.startVirtualThread(
        () ->
            node.failures()
                .report(body, failed.call(), node.marshaller().failures().opened(encoded, null)));
  }

  private Runnable takeFuture(Message.FutureUpdate update, Frame frame) {
    switch (update) {
      case Message.Value(long future, List<Object> side) -> {
        var holder = peer.futures().settled(future);
        if (holder != null) {
          var outcome =
              frame.body().length == 0
                  ? NULL
                  : node.marshaller().decodedLater(peer.payload(frame, side, null));
          return () -> holder.settle(outcome);
        }
      }
      case Message.ValueFailed(long future, FailureSummary summary, List<Object> side) -> {
        var holder = peer.futures().settled(future);
        if (holder != null) {
          var encoded = failure(summary, frame, side);
          return () -> holder.settle(node.marshaller().failures().outcome(encoded, null));
        }
      }
    }
    return null;
  }

  /** Takes a message that leaves no work for after the lock is released. */
  private void takeHere(Message message, long callId, Frame frame) {
    switch (message) {
      case Message.Multicast multicast -> peer.takeMulticast(multicast, callId, frame);
      case Message.Parcel parcel -> takeParcel(parcel, frame);
      case Message.Terminate(long target, boolean now) -> terminate(node.body(target), now);
      case Message.FlowControl control -> takeFlowControl(control);
      case Message.Abandon abandon -> peer.incoming().abandoned(callId);
      case Message.Unexchanged broken -> {
        peer.incoming().unexchanged(callId);
        peer.outbox().answerAgain();
      }
      case Message.Probe probe -> deadlocks.probed(peer, probe);
      case Message.Behind behind -> throw new SerializationException("a call twice behind another");
      case Message.Hello hello -> throw new SerializationException("a numbered greeting");
      case Message.Heartbeat beat -> throw new SerializationException("a numbered heartbeat");
      case Message.Call call -> throw new AssertionError(call);
      case Message.Reply reply -> throw new AssertionError(reply);
      case Message.FutureUpdate update -> throw new AssertionError(update);
    }
  }

  private void takeParcel(Message.Parcel message, Frame frame) {
    var body = node.body(message.target());
    if (body != null) {
      var payload = peer.payload(frame, message.side(), null);
      var parcel =
          new BodyExtensions.OwnParcel(
              () -> payload.decodeLast(node.marshaller())[0],
              frame.arrays().isEmpty() ? null : frame.arrays().getFirst());
      body.extensions()
          .receive(message.key(), each -> each.received(message.from(), message.tag(), parcel));
    }
  }

  private static void terminate(Body body, boolean now) {
    if (body != null) {
      if (now) {
        body.terminateNow();
      } else {
        body.terminate();
      }
    }
  }

  private void takeFlowControl(Message.FlowControl control) {
    switch (control) {
      case Message.Credit(long target, int count) ->
          node.queueCapacity().release(new CallQueue(peer, target), count);
      case Message.Backlog(boolean isFull) -> peer.outgoing().backlogged(isFull);
      case Message.CapacityRequest(long target) ->
          node.memory().wanted(peer, target, node.body(target));
      case Message.CapacityGrant(long target) ->
          node.queueCapacity().grant(new CallQueue(peer, target));
    }
  }

  private EncodedFailure failure(FailureSummary summary, Frame frame, List<Object> side) {
    return new EncodedFailure(
        summary, frame.body().length == 0 ? null : peer.payload(frame, side, null));
  }
}
