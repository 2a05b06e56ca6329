package org.troupe.activeobjects.internal.collective;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.capacity.CapacityNeed;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.GridBoundary;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.UnackedFrame;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

/** Sends a call to many objects at once, and delivers such calls in causal order. */
final class CausalMulticast {

  /*
   * Design: causal order by counting multicasts
   *
   * A multicast is one frame per node. Frames on different links may overtake each other: an object may be
   * served, and call another one on a third node, before the multicast has reached that node. Each frame
   * therefore carries, for every receiving node, the number of multicasts which that node has received from
   * the sender, this one included (MulticastStamp). A call made while a multicast is served carries the number
   * for its target's node (Message.Behind); the inbox of that node delays the call until that many have
   * arrived.
   *
   * Invariant: a multicast is numbered for every node before any frame of it is sent. A delay therefore
   * depends only on messages numbered earlier, and delays cannot form a cycle.
   *
   * Locks: numbering is atomic for all nodes, and arrival is atomic for all objects of this node
   * (CausalOrder).
   */
  private static final long[] NONE = {};

  private final NodeObjects node;

  CausalMulticast(NodeObjects node) {
    this.node = node;
  }

  /** Makes one-way calls. */
  void post(List<? extends GroupCall> calls, List<? extends Ref<?>> objects) {
    send(calls, objects, null);
  }

  /**
   * Makes the calls.
   *
   * @param answered receives the index of each object whose answer has arrived
   */
  List<FutureResult<Object>> ask(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered) {
    var site = node.calls().callSite();
    List<CallResult> results = new ArrayList<>(objects.size());
    for (var i = 0; i < objects.size(); i++) {
      var called = ((RecordedCall) calls.get(i)).called();
      var target = (Reference<?>) objects.get(i);
      var place = i;
      var result = new CallResult(node, target, called, valueWanted, site);
      // Registered now, because the answer may arrive before all calls are sent.
      result.onSettled(outcome -> answered.accept(place));
      results.add(result);
    }
    send(calls, objects, results);
    return List.copyOf(results);
  }

  // Sending

  /**
   * The objects of one node that receive the same arguments.
   *
   * @param payload the encoded arguments; {@code null} if they need no encoding
   * @param home the other node; {@code null} for the own node
   */
  private record Part(
      RecordedCall call, @Nullable Payload payload, @Nullable Peer home, List<Member> members) {

    /** Returns the other node; only for objects that are not of the own node. */
    Peer peer() {
      return Objects.requireNonNull(home);
    }
  }

  /**
   * A target object.
   *
   * @param result receives the answer, or {@code null}
   */
  private record Member(Reference.Target target, @Nullable CallResult result) {

    /** Returns the result; only for calls that are not one-way. */
    CallResult answer() {
      return Objects.requireNonNull(result);
    }
  }

  private void send(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      @Nullable List<CallResult> results) {
    var caller = node.callerHere();
    var parts = parts(calls, objects, results);
    var needs = needs(parts, caller);
    if (results == null) {
      awaitCapacity(parts, needs, caller, objects);
    } else {
      parts.forEach(part -> requireMemory(part, results));
      if (!needs.isEmpty()) {
        var bytes = parts.stream().mapToLong(part -> bytes(part)).sum();
        var later =
            ServiceContext.inName(() -> sendNow(withoutAbandoned(parts, caller), caller, true));
        if (node.queueCapacity().acquireOrDefer(needs, results, bytes, later)) {
          return;
        }
      }
    }
    sendNow(parts, caller, results != null);
  }

  private void awaitCapacity(
      List<Part> parts,
      List<CapacityNeed> needs,
      @Nullable Body caller,
      List<? extends Ref<?>> objects) {
    if (!needs.isEmpty()) {
      var called = parts.getFirst().call().called();
      var nanos =
          objects.stream()
              .mapToLong(each -> node.calls().limitNanos((Reference<?>) each, called))
              .min()
              .orElseThrow();
      var call = called + " of a group";
      if (!node.queueCapacity().acquire(needs, call, nanos)) {
        throw QueueCapacity.timeOut(call, nanos);
      }
    }
    for (var part : parts) {
      if (part.home() != null) {
        part.members().removeIf(member -> !awaitLink(part, member, caller));
      }
    }
  }

  private static void requireMemory(Part part, List<CallResult> results) {
    if (part.home() != null) {
      part.home().outgoing().requireMemory(results.getFirst());
    }
  }

  private static long bytes(Part part) {
    return part.payload() == null ? 0 : part.payload().bytes();
  }

  /** Removes deferred calls whose results have been given up. */
  private List<Part> withoutAbandoned(List<Part> parts, @Nullable Body caller) {
    for (var part : parts) {
      for (var member : List.copyOf(part.members())) {
        if (!member.answer().isAwaited()) {
          part.members().remove(member);
          var need = need(member, part, caller);
          if (need != null) {
            node.queueCapacity().release(List.of(need));
          }
        }
      }
    }
    return parts;
  }

  private void sendNow(List<Part> parts, @Nullable Body caller, boolean hasResults) {
    for (var part : parts) {
      if (part.home() != null) {
        expect(part);
      }
    }
    Map<UnackedFrame, Peer> numbered = new LinkedHashMap<>();
    node.order().lock();
    try {
      var stamp = stamp(parts);
      for (var part : parts) {
        if (part.home() != null && !part.members().isEmpty()) {
          number(part, stamp, caller, numbered);
        }
      }
      for (var part : parts) { // not earlier: the calls may be served, and send messages, at once
        if (part.home() == null) {
          deliver(part, stamp, caller);
        }
      }
    } finally {
      node.order().unlock();
      // Also after a failure, because a missing number would hold back all later frames.
      numbered.forEach((sent, home) -> home.outbox().sendNumbered(sent));
    }
    if (hasResults) {
      parts.forEach(CausalMulticast::withdrawAbandoned);
    }
  }

  private static void withdrawAbandoned(Part part) {
    if (part.home() != null) {
      part.members().forEach(member -> part.peer().outgoing().withdrawIfOver(member.answer()));
    }
  }

  /** Encodes each call once, and groups the objects by node. */
  private List<Part> parts(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      @Nullable List<CallResult> results) {
    List<Part> parts = new ArrayList<>();
    Map<Peer, Part> byNode = new LinkedHashMap<>(); // for the current call
    Part here = null;
    RecordedCall current = null;
    Payload payload = null;
    for (var i = 0; i < objects.size(); i++) {
      var call = (RecordedCall) calls.get(i);
      var reference = (Reference<?>) objects.get(i);
      if (call != current) {
        current = call;
        payload = null;
        byNode.clear();
        here = null;
      }
      var target = reference.target();
      var member = new Member(target, results == null ? null : results.get(i));
      if (member.result() != null) {
        node.calls().notesCircumstances(member.result());
      }
      switch (target) {
        case Reference.Target.Here inThisNode -> {
          if (here == null) {
            if (payload == null && !node.marshaller().allShareable(call.arguments())) {
              payload = encoded(call);
            }
            here = new Part(call, payload, null, new ArrayList<>());
            parts.add(here);
          }
          here.members().add(member);
        }
        case Reference.Target.Elsewhere elsewhere -> {
          var home = Peer.of(elsewhere.home());
          var part = byNode.get(home);
          if (part == null) {
            if (payload == null && call.arguments().length > 0) {
              payload = encoded(call);
            }
            if (payload != null) {
              GridBoundary.requireOneGrid(payload.values().side(), home.access());
            }
            part = new Part(call, payload, home, new ArrayList<>());
            byNode.put(home, part);
            parts.add(part);
          }
          part.members().add(member);
        }
      }
    }
    return parts;
  }

  private Payload encoded(RecordedCall call) {
    return node.marshaller().encodeArguments(call.called(), call.arguments()).shared();
  }

  /** Returns what the calls need of bounded queues, to be taken in one step. */
  private List<CapacityNeed> needs(List<Part> parts, @Nullable Body caller) {
    Map<CallQueue, CapacityNeed> needs = new LinkedHashMap<>();
    for (var part : parts) {
      for (var member : part.members()) {
        var need = need(member, part, caller);
        if (need == null) {
          continue;
        }
        var sum = needs.merge(need.queue(), need, CapacityNeed::plus);
        if (sum.places() > sum.bound()) {
          throw new IllegalArgumentException(
              part.call().called()
                  + " goes to one object more often at once than its queue has room, which is "
                  + sum.bound()
                  + "; name the object once, or give it more room with Options");
        }
      }
    }
    if (!needs.isEmpty()) { // calls to its other targets must not overtake it either
      for (var part : parts) {
        for (var member : part.members()) {
          var order = needOfOrder(member.target(), part.call().called());
          if (order != null) {
            needs.putIfAbsent(order.queue(), order);
          }
        }
      }
    }
    return List.copyOf(needs.values());
  }

  private static @Nullable CapacityNeed needOfOrder(Reference.Target target, CallMethod method) {
    var passes =
        switch (target) {
          case Reference.Target.Here(Body body) -> body.passesQueue(method);
          case Reference.Target.Elsewhere there ->
              ServicePolicy.isAmong(there.immediates(), method);
        };
    var bound =
        switch (target) {
          case Reference.Target.Here(Body body) -> body.queueBound();
          case Reference.Target.Elsewhere there -> there.bound();
        };
    return passes ? null : CapacityNeed.ofOrder(target.queue(), method, bound);
  }

  private @Nullable CapacityNeed need(Member member, Part part, @Nullable Body caller) {
    var method = part.call().called();
    return switch (member.target()) {
      case Reference.Target.Here(Body body) -> node.calls().need(body, method, caller);
      case Reference.Target.Elsewhere there -> Peer.of(there.home()).outgoing().need(there, method);
    };
  }

  /** Waits while the link is full; returns whether the call may be sent. */
  private boolean awaitLink(Part part, Member member, @Nullable Body caller) {
    try {
      part.peer().outgoing().awaitCapacity();
      return true;
    } catch (NodeLostException e) {
      lost(part, member, caller, e);
      return false;
    }
  }

  private void expect(Part part) {
    var members = part.members();
    if (members.isEmpty() || members.getFirst().result() == null) {
      return;
    }
    var first = node.nextIds(members.size());
    for (var i = 0; i < members.size(); i++) {
      members.get(i).answer().callId = first + i;
    }
    for (var member : members) {
      try {
        part.peer().outgoing().expect(member.answer());
      } catch (NodeLostException e) {
        lost(part, member, null, e);
      }
    }
  }

  private void lost(Part part, Member member, @Nullable Body caller, NodeLostException e) {
    var called = part.call().called();
    var result = member.result();
    if (result != null) {
      var unsent = e.getMessage() + "; " + result.describe() + " was not sent";
      result.settle(
          new Outcome.Failure<>(new NodeLostException(unsent, e.exitReport().orElse(null))));
    } else {
      node.failures().report(caller, called + " on node '" + part.peer().id().name() + "'", e);
    }
  }

  private MulticastStamp stamp(List<Part> parts) {
    Map<Peer, Long> counts = new LinkedHashMap<>();
    for (var part : parts) {
      if (part.home() != null && !part.members().isEmpty()) {
        counts.put(part.home(), part.home().nextMulticast());
      }
    }
    if (counts.isEmpty()) {
      return new MulticastStamp(node.id(), "", NONE, NONE);
    }
    var nodes = new long[counts.size()];
    var numbers = new long[nodes.length];
    var i = 0;
    for (var each : counts.entrySet()) {
      nodes[i] = each.getKey().id().incarnation();
      numbers[i++] = each.getValue();
    }
    return new MulticastStamp(
        node.id(), counts.keySet().iterator().next().access().address(), nodes, numbers);
  }

  private void deliver(Part part, MulticastStamp stamp, @Nullable Body caller) {
    var place = 0;
    for (var member : part.members()) {
      var body = ((Reference.Target.Here) member.target()).body();
      var credit = node.queueCapacity().releaseOf(need(member, part, caller));
      var request = request(part, member.result(), caller, credit);
      request.stamp = stamp;
      request.place = place++;
      node.calls().put(body, request);
    }
  }

  private static CallRequest request(
      Part part, @Nullable CallResult result, @Nullable Body caller, @Nullable Runnable credit) {
    var call = part.call();
    var values = part.payload() == null ? call.arguments() : null;
    return new CallRequest(call.called(), values, part.payload(), result, caller, credit);
  }

  private void number(
      Part part, MulticastStamp stamp, @Nullable Body caller, Map<UnackedFrame, Peer> numbered) {
    var members = part.members();
    var targets = new long[members.size()];
    var counted = false;
    for (var i = 0; i < targets.length; i++) {
      var target = (Reference.Target.Elsewhere) members.get(i).target();
      targets[i] = target.number();
      counted |= target.bound() > 0; // if the method is queued, which its node knows, too
    }
    var result = members.getFirst().result();
    try {
      var sent =
          part.peer()
              .number(
                  result == null ? 0 : result.callId,
                  new Message.Multicast(
                      targets,
                      part.call().called().symbol(),
                      result != null && result.isValueWanted(),
                      counted,
                      stamp,
                      caller == null ? 0 : caller.number(),
                      caller == null ? "" : caller.type().type().getName(),
                      part.payload() == null ? List.of() : part.payload().values().side()),
                  part.payload(),
                  result == null ? part.call().called() : null,
                  caller);
      numbered.put(sent, part.peer());
    } catch (NodeLostException e) {
      members.forEach(member -> lost(part, member, caller, e));
    }
  }
}
