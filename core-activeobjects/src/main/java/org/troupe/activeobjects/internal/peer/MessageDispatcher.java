package org.troupe.activeobjects.internal.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyExtensions;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.marshal.EncodedFailure;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.futures.Outcome;
import org.troupe.serialization.SerializationException;

/** Passes the ordered messages of another node to the parts of this one that handle them. */
final class MessageDispatcher {

  @SuppressWarnings("NullAway") // the value of a call that returns null, or only ends
  private static final Outcome<Object> NULL = new Outcome.Success<>(null);

  private final GridNode peer;
  private final NodeObjects node;
  private final DeadlockSearch deadlocks;
  private final Relocations relocations;
  private final MessageCodec wire;
  private final Outbox outbox;
  private final OutgoingCalls outgoing;
  private final IncomingCalls incoming;
  private final ForwardedFutures futures;
  private volatile long multicastsTaken; // written under the lock of the inbox

  /**
   * Creates the dispatcher of the messages of a node.
   *
   * @param wire knows the types that the other node has described
   * @param outbox sends answers again if an exchange has failed
   */
  MessageDispatcher(
      GridNode peer,
      NodeObjects node,
      DeadlockSearch deadlocks,
      Relocations relocations,
      MessageCodec wire,
      Outbox outbox,
      OutgoingCalls outgoing,
      IncomingCalls incoming,
      ForwardedFutures futures) {
    this.peer = peer;
    this.node = node;
    this.deadlocks = deadlocks;
    this.relocations = relocations;
    this.wire = wire;
    this.outbox = outbox;
    this.outgoing = outgoing;
    this.incoming = incoming;
    this.futures = futures;
  }

  /** Returns how many multicasts of the other node have been taken. */
  long multicastsTaken() {
    return multicastsTaken;
  }

  /**
   * Takes an ordered message, under the lock of the inbox.
   *
   * @param mayServe whether the calling thread belongs to the exchange
   * @return the work to do after that lock is released, or {@code null}
   */
  @Nullable Runnable take(
      Message message, long callId, Frame frame, @Nullable Exchange exchange, boolean mayServe) {
    if (message instanceof Message.Call call) {
      return incoming.take(call, callId, frame, exchange, mayServe);
    }
    if (exchange != null && message instanceof Message.Routed routed) {
      var arriving = new ArrivingExchange(peer.id(), outbox, exchange, mayServe);
      relocations.take(peer, routed, callId, frame, arriving);
      return arriving.end();
    }
    RemoteRequest.decline(exchange);
    return switch (message) {
      case Message.Reply reply -> takeReply(reply, callId, frame);
      case Message.FutureUpdate update -> takeFuture(update, frame);
      default -> {
        takeHere(message, callId, frame);
        yield null;
      }
    };
  }

  private @Nullable Runnable takeReply(Message.Reply reply, long callId, Frame frame) {
    if (reply instanceof Message.OneWayFailed failed) {
      reportOneWay(failed, frame);
      return null;
    }
    var filed = outgoing.answered(callId);
    var result = filed == null ? relocations.answered(callId) : filed;
    if (result == null) {
      return null; // it was given up
    }
    return result.settleLater(
        switch (reply) {
          case Message.Answer(List<Object> side) ->
              frame.body().length == 0
                  ? NULL
                  : result.decoded(
                      wire.payload(frame, side, node.marshaller().resultCodec(result.method())));
          case Message.Simple(Object value) -> new Outcome.Success<>(value);
          case Message.Failed(FailureSummary summary, List<Object> side) ->
              node.marshaller().failures().outcome(failure(summary, frame, side), result.site());
          case Message.OneWayFailed failed -> throw new AssertionError(failed);
        });
  }

  private void reportOneWay(Message.OneWayFailed failed, Frame frame) {
    var encoded = failure(failed.summary(), frame, failed.side());
    var body = failed.caller() == 0 ? null : node.body(failed.caller());
    node.failures()
        .reportArrived(
            body, failed.call(), () -> node.marshaller().failures().opened(encoded, null));
  }

  private @Nullable Runnable takeFuture(Message.FutureUpdate update, Frame frame) {
    switch (update) {
      case Message.Value(long future, List<Object> side) -> {
        var holder = futures.settled(future);
        if (holder != null) {
          var outcome =
              frame.body().length == 0
                  ? NULL
                  : node.marshaller().decodedLater(wire.payload(frame, side, null));
          return () -> holder.settle(outcome);
        }
      }
      case Message.ValueFailed(long future, FailureSummary summary, List<Object> side) -> {
        var holder = futures.settled(future);
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
      case Message.Multicast multicast -> takeMulticast(multicast, callId, frame);
      case Message.Numbered numbered -> incoming.takeNumbered(numbered, callId, frame);
      case Message.Taken(var object, var origin, long first, long last) ->
          relocations.taken(object, origin, first, last);
      case Message.Settled(var object, var origin, long upTo) ->
          relocations.settled(object, origin, upTo);
      case Message.Packet packet -> takePacket(packet, frame);
      case Message.Terminate(long target, boolean now) -> terminate(node.body(target), now);
      case Message.FlowControl control -> takeFlowControl(control);
      case Message.Abandon abandon -> incoming.abandoned(callId);
      case Message.Unexchanged broken -> {
        incoming.unexchanged(callId);
        outbox.answerAgain();
      }
      case Message.Relocation relocation -> relocations.take(peer, relocation, callId, frame, null);
      case Message.Listing copies -> takeListing(copies);
      case Message.Mark mark -> throw new SerializationException("a mark without its object");
      case Message.TailEnd end ->
          throw new SerializationException("the end of a queue without its object");
      case Message.Probe probe -> deadlocks.probed(peer, probe);
      case Message.Behind behind -> throw new SerializationException("a call twice behind another");
      case Message.Hello hello -> throw new SerializationException("a numbered greeting");
      case Message.Heartbeat beat -> throw new SerializationException("a numbered heartbeat");
      case Message.Call call -> throw new AssertionError(call);
      case Message.Reply reply -> throw new AssertionError(reply);
      case Message.FutureUpdate update -> throw new AssertionError(update);
    }
  }

  private void takeMulticast(Message.Multicast multicast, long firstCallId, Frame frame) {
    node.order().inOneStep(() -> incoming.takeAll(multicast, firstCallId, frame));
    // Not earlier: another inbox that sees it adds the calls that follow to the queues.
    multicastsTaken++;
  }

  private void takePacket(Message.Packet message, Frame frame) {
    var body = node.body(message.target());
    if (body != null) {
      var payload = wire.payload(frame, message.side(), null);
      var packet =
          new BodyExtensions.OwnPacket(
              () -> payload.decodeLast(node.marshaller())[0],
              frame.arrays().isEmpty() ? null : frame.arrays().getFirst());
      body.extensions()
          .receive(message.key(), each -> each.received(message.from(), message.tag(), packet));
    }
  }

  private static void terminate(@Nullable Body body, boolean now) {
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
      case Message.Backlog(boolean isFull) -> outgoing.backlogged(isFull);
      case Message.CapacityRequest(long target) ->
          node.memory().wanted(peer, target, node.body(target));
      case Message.CapacityGrant(long target) ->
          node.queueCapacity().grant(new CallQueue(peer, target));
    }
  }

  private void takeListing(Message.Listing message) {
    var exports = node.exports();
    var teller = peer.id().incarnation();
    switch (message) {
      case Message.CopiesChanged(List<RemoteObjects.Change> changes) ->
          exports.told(teller, changes);
      case Message.CopiesStated(long lost, List<RemoteObjects.Stated> statement) ->
          exports.stated(lost, teller, statement);
      case Message.ObjectKept(long number) -> exports.keptBy(number, teller);
    }
  }

  private EncodedFailure failure(FailureSummary summary, Frame frame, List<Object> side) {
    return new EncodedFailure(
        summary, frame.body().length == 0 ? null : wire.payload(frame, side, null));
  }
}
