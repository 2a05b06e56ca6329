package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.ArrivingExchange;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.UnackedFrame;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.Routed;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.graph.TypeDefinition;

/**
 * Sends the messages about moved objects to other nodes, or back to this one, and reads those that
 * arrive.
 */
final class RelocationMessages {

  private final MovedObjects objects;
  private final NodeObjects node;
  private final PassedOnCalls passedOn;
  private final Executor loopback;

  /** The types of a caller's node that were sent to a host, by both; each guarded by itself. */
  private final Map<List<Long>, Set<Integer>> definitions = new ConcurrentHashMap<>();

  /**
   * Creates the sender of one node.
   *
   * @param passedOn counts the one-way calls that the node passes on
   * @param loopback delivers the messages of the node to itself, in order
   */
  RelocationMessages(
      MovedObjects objects, NodeObjects node, PassedOnCalls passedOn, Executor loopback) {
    this.objects = objects;
    this.node = node;
    this.passedOn = passedOn;
    this.loopback = loopback;
  }

  /** Sends a message to a host of an object. */
  void send(MovedObject object, NodeId host, Routed<Parcel> message) {
    if (host.equals(node.id())) {
      loopback.execute(() -> objects.arrive(object, node.id(), message, null));
      return;
    }
    switch (message.content()) {
      case Routed.Content.Mark<Parcel>(NodeId owner, int route, long number) -> {
        MoveStep.MARK.passes(node.id());
        send(
            host,
            0,
            routed(object, message, owner, List.of(), new Message.Mark(route, number)),
            null,
            null,
            null);
      }
      case Routed.Content.TailEnd<Parcel> end -> {
        MoveStep.TAIL_END.passes(node.id());
        var frame = routed(object, message, node.id(), List.of(), new Message.TailEnd());
        send(host, 0, frame, null, null, null);
      }
      case Routed.Content.Message<Parcel>(Parcel parcel) -> {
        if (!isAbandoned(parcel)) {
          pass(object, host, message, parcel);
        }
      }
    }
  }

  /** Returns whether a call of this node was given up while it waited here. */
  private boolean isAbandoned(Parcel parcel) {
    return parcel.origin().equals(node.id())
        && parcel.callId() != 0
        && parcel.name() == null // one with a name has a place among the others
        && !objects.expected().has(parcel.callId());
  }

  private Message.Routed routed(
      MovedObject object,
      Routed<Parcel> message,
      NodeId origin,
      List<TypeDefinition> types,
      Message content) {
    return new Message.Routed(
        object.identity(),
        message.epoch(),
        message.view(),
        message.hops(),
        message.previous(),
        origin,
        objects.address(origin),
        types,
        content);
  }

  /** Numbers a call of this node that is sent in an exchange. */
  UnackedFrame number(MovedObject object, Peer host, Routed<Parcel> message, Parcel parcel) {
    var frame = routed(object, message, node.id(), List.of(), parcel.message());
    return host.outbox().number(parcel.callId(), frame, parcel.payload());
  }

  /** Sends a message for the object, and accounts for it if it is a one-way call. */
  private void pass(MovedObject object, NodeId host, Routed<Parcel> message, Parcel parcel) {
    var isCounted = passedOn.add(host, message, parcel); // first: the host may serve it at once
    var isSent = false;
    try {
      isSent = send(object, host, message, parcel);
    } finally {
      if (isCounted && !isSent) {
        passedOn.notSent(host, parcel.origin());
      }
      parcel.account().served();
    }
  }

  /** Sends a message for the object; returns {@code false} if the host is lost. */
  private boolean send(MovedObject object, NodeId host, Routed<Parcel> message, Parcel parcel) {
    var payload = parcel.payload();
    var origin = parcel.origin();
    if (payload == null || origin.equals(node.id())) {
      var frame = routed(object, message, origin, List.of(), parcel.message());
      var counted = message.hops().isEmpty() ? parcel.oneWayCall() : null;
      return send(host, parcel.callId(), frame, payload, counted, parcel.caller());
    }
    var sent =
        definitions.computeIfAbsent(
            List.of(host.incarnation(), origin.incarnation()), link -> new HashSet<>());
    synchronized (sent) { // the frame with a definition precedes all others that use it
      var types = new ArrayList<TypeDefinition>();
      for (var each : payload.types().definitions()) {
        if (sent.add(each.id())) {
          types.add(each);
        }
      }
      var frame = routed(object, message, origin, types, parcel.message());
      return send(host, parcel.callId(), frame, payload, null, null);
    }
  }

  private boolean send(
      NodeId host,
      long callId,
      Message message,
      @Nullable Payload payload,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller) {
    try {
      objects.peer(host).outbox().send(callId, message, payload, oneWayCall, caller);
      return true;
    } catch (NodeLostException e) {
      if (oneWayCall != null) {
        node.failures().report(caller, oneWayCall + " on node '" + host.name() + "'", e);
      }
      // Of other calls the caller learns when the object has been found.
      return false;
    }
  }

  void sendRelocated(MovedObject object, NodeId owner, int route, Place next, long callId) {
    sendRelocated(object, owner, route, next, callId, null);
  }

  /**
   * Tells a node that an object has moved from where a route of it leads.
   *
   * @param exchange of the call that was sent there, which the news may end; or {@code null}
   */
  void sendRelocated(
      MovedObject object,
      NodeId owner,
      int route,
      Place next,
      @Nullable ArrivingExchange exchange) {
    sendRelocated(object, owner, route, next, 0, exchange);
  }

  private void sendRelocated(
      MovedObject object,
      NodeId owner,
      int route,
      Place next,
      long callId,
      @Nullable ArrivingExchange exchange) {
    MoveStep.RELOCATED.passes(node.id());
    if (owner.equals(node.id())) {
      loopback.execute(() -> objects.relocated(object, route, next));
      return;
    }
    var message =
        new Message.Relocated(
            object.identity(), route, next.node(), objects.address(next.node()), next.epoch());
    if (exchange == null || !exchange.endWith(owner, message)) {
      send(owner, callId, message, null, null, null);
    }
  }

  void sendSwitched(
      MovedObject object, NodeId owner, Routed.Content.Mark<Parcel> mark, Place place) {
    MoveStep.SWITCHED.passes(node.id());
    if (owner.equals(node.id())) {
      loopback.execute(() -> objects.switched(object, mark.route(), mark.number(), place));
    } else {
      var message =
          new Message.Switched(
              object.identity(),
              mark.route(),
              mark.number(),
              place.node(),
              objects.address(place.node()),
              place.epoch());
      send(owner, 0, message, null, null, null);
    }
  }

  /** Tells the host of an object which answers this node does not need any more. */
  void sendSettled(MovedObject object, Place place, long upTo) {
    sendSettled(object.identity(), place, new CallOrigin.Process(node.id()), upTo);
  }

  /** Tells the host of an object which answers a caller does not need any more. */
  void sendSettled(ObjectIdentity object, Place place, CallOrigin origin, long upTo) {
    if (place.node().equals(node.id())) {
      objects.settled(object, origin, upTo);
    } else if (!objects.isLost(place.node())) {
      send(place.node(), 0, new Message.Settled(object, origin, upTo), null, null, null);
    }
  }

  /** Returns the content of a message that has arrived. */
  Routed<Parcel> received(Peer sender, Message.Routed routed, long callId, Frame frame) {
    return new Routed<>(
        content(sender, routed, callId, frame),
        routed.epoch(),
        routed.view(),
        routed.hops(),
        routed.previous());
  }

  private Routed.Content<Parcel> content(
      Peer sender, Message.Routed routed, long callId, Frame frame) {
    var origin = routed.origin();
    if (routed.content() instanceof Message.Mark(int route, long number)) {
      return new Routed.Content.Mark<>(origin, route, number);
    }
    if (routed.content() instanceof Message.TailEnd) {
      return new Routed.Content.TailEnd<>();
    }
    var isOwn = origin.equals(node.id());
    var types = isOwn ? node.marshaller().serializer().ownTypes() : objects.peer(origin).types();
    if (!isOwn && !routed.definitions().isEmpty()) {
      routed.definitions().forEach(types::define);
    }
    var named = routed.content() instanceof Message.Numbered numbered ? numbered : null;
    var content = named == null ? routed.content() : named.call();
    var payload =
        content instanceof Message.Call call ? Payload.received(frame, types, call.side()) : null;
    return new Routed.Content.Message<>(
        new Parcel(
            origin,
            routed.address(),
            callId,
            content,
            payload,
            null,
            null,
            passedOn.account(sender, routed, callId),
            named == null ? null : named.name()));
  }
}
