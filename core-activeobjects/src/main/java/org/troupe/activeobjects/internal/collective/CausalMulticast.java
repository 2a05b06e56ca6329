package org.troupe.activeobjects.internal.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.MulticastStamp;
import org.troupe.activeobjects.internal.body.QueuePlace;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.capacity.CapacityNeed;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.peer.GridBoundary;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.ObjectMovedException;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.UnackedFrame;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.FutureResult;

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
  private final MulticastCapacity capacity;
  private final MulticastFailures failures;

  CausalMulticast(NodeObjects node) {
    LoggedBody.requireUnlogged(
        "a call of a group", "call the members one by one, or within ActiveObjects.once(..)");
    this.node = node;
    this.capacity = new MulticastCapacity(node);
    this.failures = new MulticastFailures(node);
  }

  /** Makes one-way calls. */
  void post(List<? extends GroupCall> calls, List<? extends Ref<?>> objects) {
    GroupObservation.observed(
        calls.isEmpty() ? null : (RecordedCall) calls.getFirst(),
        objects,
        null,
        () -> send(parts(calls, objects, null), null));
  }

  /** Makes a one-way call to each recipient. */
  void post(GroupCall call, DividedRecipients recipients) {
    var recorded = (RecordedCall) call;
    GroupObservation.observed(
        recorded,
        recipients.objects(),
        null,
        () -> send(parts(recorded, recipients.shares(), null), null));
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
    var results = results(i -> (RecordedCall) calls.get(i), objects, valueWanted, answered);
    GroupObservation.observed(
        calls.isEmpty() ? null : (RecordedCall) calls.getFirst(),
        objects,
        results,
        () -> asked(parts(calls, objects, results), results));
    return List.of(results);
  }

  /** Makes a call to each recipient. */
  List<FutureResult<Object>> ask(
      GroupCall call, DividedRecipients recipients, boolean valueWanted, IntConsumer answered) {
    var recorded = (RecordedCall) call;
    var results = results(_ -> recorded, recipients.objects(), valueWanted, answered);
    GroupObservation.observed(
        recorded,
        recipients.objects(),
        results,
        () -> asked(parts(recorded, recipients.shares(), results), results));
    return List.of(results);
  }

  private CallResult[] results(
      IntFunction<RecordedCall> calls,
      List<? extends Ref<?>> objects,
      boolean valueWanted,
      IntConsumer answered) {
    var site = node.calls().callSite();
    var results = new CallResult[objects.size()];
    for (var i = 0; i < results.length; i++) {
      var target = (Reference<?>) objects.get(i);
      var place = i;
      var result = new CallResult(node, target, calls.apply(i).called(), valueWanted, site);
      // Registered now, because the answer may arrive before all calls are sent.
      result.onSettled(outcome -> answered.accept(place));
      results[i] = result;
    }
    return results;
  }

  private void asked(List<MulticastPart> parts, CallResult[] results) {
    for (var result : results) {
      node.calls().notesCircumstances(result);
      result.names(node.callerHere());
    }
    send(parts, results);
  }

  // Sending

  /** A frame whose place in the order to its node is fixed. */
  private record NumberedFrame(UnackedFrame frame, Peer home) {}

  private void send(List<MulticastPart> all, CallResult @Nullable [] results) {
    var caller = node.callerHere();
    var parts = all;
    var needs = capacity.needs(parts, caller);
    while (true) {
      try {
        if (results == null) {
          awaitCapacity(parts, needs, caller);
        } else if (acquireOrDefer(parts, needs, results, caller)) {
          return;
        }
        break;
      } catch (OverloadedException refused) {
        parts = withoutRefused(parts, node.queueCapacity().refusals(needs), caller);
        if (parts.isEmpty()) {
          return;
        }
        needs = capacity.needs(parts, caller);
      }
    }
    sendNow(parts, caller, results != null);
  }

  /** Acquires capacity for calls with results; returns whether they are deferred. */
  private boolean acquireOrDefer(
      List<MulticastPart> parts,
      List<CapacityNeed> needs,
      CallResult[] results,
      @Nullable Body caller) {
    parts.forEach(part -> requireMemory(part, results));
    if (needs.isEmpty()) {
      return false;
    }
    var bytes = parts.stream().mapToLong(part -> bytes(part)).sum();
    var later =
        ObserverBinding.sendingLater(
            ServiceContext.inName(() -> sendNow(withoutAbandoned(parts, caller), caller, true)));
    return node.queueCapacity().acquireOrDefer(needs, List.of(results), bytes, later);
  }

  /**
   * Returns the parts without the objects that refuse the call, whose outcome is that refusal.
   * Answers that are combined on a node all fail, since one of them would be missing.
   */
  private List<MulticastPart> withoutRefused(
      List<MulticastPart> parts,
      Map<CallQueue, OverloadedException> refusals,
      @Nullable Body caller) {
    if (!refusals.isEmpty() && parts.stream().anyMatch(MulticastPart::isCombined)) {
      var why = refusals.values().iterator().next();
      parts.forEach(part -> failures.fail(part, caller, why));
      return List.of();
    }
    List<MulticastPart> rest = new ArrayList<>();
    for (var part : parts) {
      var kept =
          IntStream.range(0, part.size())
              .filter(i -> capacity.refusal(part, i, refusals, caller) == null)
              .toArray();
      if (kept.length == part.size()) {
        rest.add(part);
        continue;
      }
      for (var i = 0; i < part.size(); i++) {
        var refusal = capacity.refusal(part, i, refusals, caller);
        if (refusal != null) {
          failures.fail(part, i, caller, refusal);
        }
      }
      if (kept.length > 0) {
        rest.add(
            new MulticastPart(
                part.call(), part.payload(), part.share().select(kept), part.results()));
      }
    }
    return rest;
  }

  private void awaitCapacity(
      List<MulticastPart> parts, List<CapacityNeed> needs, @Nullable Body caller) {
    capacity.acquire(parts, needs);
    parts.removeIf(part -> part.home() != null && !awaitLink(part, caller));
  }

  private static void requireMemory(MulticastPart part, CallResult[] results) {
    if (part.home() != null) {
      part.home().outgoing().requireMemory(results[0]);
    }
  }

  private static long bytes(MulticastPart part) {
    return part.payload() == null ? 0 : part.payload().bytes();
  }

  /** Returns the parts without deferred calls whose results have been given up. */
  private List<MulticastPart> withoutAbandoned(List<MulticastPart> parts, @Nullable Body caller) {
    return parts.stream().map(part -> withoutAbandoned(part, caller)).toList();
  }

  private MulticastPart withoutAbandoned(MulticastPart part, @Nullable Body caller) {
    var awaited = IntStream.range(0, part.size()).filter(i -> part.answer(i).isAwaited()).toArray();
    if (awaited.length == part.size()) {
      return part;
    }
    for (int i = 0, kept = 0; i < part.size(); i++) {
      if (kept < awaited.length && awaited[kept] == i) {
        kept++;
        continue;
      }
      var need = capacity.need(part, i, caller);
      if (need != null) {
        capacity.release(need);
      }
    }
    return new MulticastPart(
        part.call(), part.payload(), part.share().select(awaited), part.results());
  }

  private void sendNow(List<MulticastPart> all, @Nullable Body caller, boolean hasResults) {
    List<Runnable> toMoved = new ArrayList<>(0);
    var parts = all;
    if (all.stream().anyMatch(MulticastPart::hasMoved)) {
      if (all.stream().anyMatch(MulticastPart::isCombined)) {
        all.forEach(part -> failures.failCombined(part, caller));
        return;
      }
      parts = all.stream().map(part -> withoutMoved(part, caller, toMoved)).toList();
    }
    if (hasResults) {
      for (var part : parts) {
        if (part.home() != null && part.size() > 0) {
          expect(part);
        }
      }
    }
    List<NumberedFrame> numbered = new ArrayList<>(parts.size());
    node.order().lock();
    try {
      var stamp = stamp(parts);
      for (var part : parts) {
        if (part.home() != null && part.size() > 0) {
          number(part, stamp, caller, numbered);
        }
      }
      toMoved.forEach(Runnable::run);
      for (var part : parts) { // not earlier: the calls may be served, and send messages, at once
        if (part.home() == null) {
          deliver(part, stamp, caller);
        }
      }
    } finally {
      node.order().unlock();
      // Also after a failure, because a missing number would hold back all later frames.
      numbered.forEach(each -> each.home().outbox().sendNumbered(each.frame()));
      if (!hasResults && caller != null && !numbered.isEmpty()) {
        caller.madeOneWayCall(); // not earlier: before it was numbered, it is not among those sent
      }
    }
    java.lang.ref.Reference.reachabilityFence(all); // its objects are not dropped before
    if (hasResults) {
      parts.forEach(CausalMulticast::withdrawAbandoned);
    }
  }

  // Objects that have moved

  /** Returns a part without the objects that have moved, each of which gets a call of its own. */
  private static MulticastPart withoutMoved(
      MulticastPart part, @Nullable Body caller, List<Runnable> toMoved) {
    if (!part.hasMoved()) {
      return part;
    }
    var kept = IntStream.range(0, part.size()).filter(i -> !part.hasMoved(i)).toArray();
    IntStream.range(0, part.size())
        .filter(i -> Arrays.binarySearch(kept, i) < 0)
        .forEach(i -> toMoved.add(() -> sendMoved(part, i, caller)));
    return new MulticastPart(
        part.call(), part.payload(), part.share().select(kept), part.results());
  }

  private static void sendMoved(MulticastPart part, int index, @Nullable Body caller) {
    var method = part.call().called();
    part.peer()
        .outgoing()
        .sendMoved(
            part.target(index),
            method,
            part.payload(),
            part.result(index),
            caller,
            part.peer().outgoing().need(part.target(index), method));
  }

  private static void withdrawAbandoned(MulticastPart part) {
    if (part.home() != null) {
      for (var i = 0; i < part.size(); i++) {
        part.peer().outgoing().withdrawIfOver(part.answer(i));
      }
    }
  }

  /**
   * Groups the objects of equal neighbouring calls by node, and encodes each of these calls once.
   */
  private List<MulticastPart> parts(
      List<? extends GroupCall> calls,
      List<? extends Ref<?>> objects,
      CallResult @Nullable [] results) {
    List<MulticastPart> parts = new ArrayList<>();
    for (int from = 0, to; from < objects.size(); from = to) {
      var call = calls.get(from);
      for (to = from + 1; to < objects.size() && calls.get(to) == call; ) {
        to++;
      }
      parts.addAll(parts((RecordedCall) call, NodeShare.divide(objects, from, to), results));
    }
    return parts;
  }

  /** Encodes a call for its recipients. */
  private List<MulticastPart> parts(
      RecordedCall call, List<NodeShare> shares, CallResult @Nullable [] results) {
    List<MulticastPart> parts = new ArrayList<>(shares.size());
    Payload payload = null;
    for (var share : shares) {
      var home = share.home();
      var needsEncoding =
          home == null
              ? !node.marshaller().allShareable(call.arguments())
              : call.arguments().length > 0;
      if (needsEncoding && payload == null) {
        payload = encoded(call);
      }
      if (home != null && payload != null) {
        GridBoundary.requireOneGrid(payload.values().side(), home.access());
      }
      parts.add(new MulticastPart(call, needsEncoding ? payload : null, share, results));
    }
    return parts;
  }

  private Payload encoded(RecordedCall call) {
    return node.marshaller().encodeArguments(call.called(), call.arguments()).forSeveral();
  }

  /** Waits while the link is full; returns whether the calls may be sent. */
  private boolean awaitLink(MulticastPart part, @Nullable Body caller) {
    try {
      part.peer().outgoing().awaitCapacity();
      return true;
    } catch (NodeLostException e) {
      if (part.hasMoved()) { // what has not is lost when the calls are sent
        return true;
      }
      failures.lost(part, caller, e);
      return false;
    }
  }

  private void expect(MulticastPart part) {
    var first = node.nextIds(part.size());
    for (var i = 0; i < part.size(); i++) {
      part.answer(i).callId = first + i;
    }
    for (var i = 0; i < part.size(); i++) {
      try {
        part.peer().outgoing().expect(part.answer(i));
      } catch (ObjectMovedException e) {
        // Just now: the call is sent the other way.
      } catch (NodeLostException e) {
        failures.lost(part, i, null, e);
      }
    }
  }

  /** Counts the multicast for each node that receives it. */
  private MulticastStamp stamp(List<MulticastPart> parts) {
    var nodes = new long[parts.size()];
    var counts = new long[nodes.length];
    var size = 0;
    Map<Peer, Integer> known = new HashMap<>(0); // several parts of one node have different calls
    Peer first = null;
    for (var part : parts) {
      var home = part.home();
      if (home == null || part.size() == 0) {
        continue;
      }
      first = first == null ? home : first;
      var place = parts.size() == 1 ? null : known.putIfAbsent(home, size);
      if (place == null) {
        place = size++;
        nodes[place] = home.id().incarnation();
      }
      counts[place] = home.nextMulticast();
    }
    return first == null
        ? new MulticastStamp(node.id(), "", NONE, NONE)
        : new MulticastStamp(
            node.id(),
            first.access().address(),
            Arrays.copyOf(nodes, size),
            Arrays.copyOf(counts, size));
  }

  private void deliver(MulticastPart part, MulticastStamp stamp, @Nullable Body caller) {
    var objects = part.share().objects();
    var isBounded = part.share().isBounded();
    for (var i = 0; i < objects.length; i++) {
      var body = ((Reference.Target.Here) objects[i].target()).body();
      var credit =
          isBounded ? node.queueCapacity().releaseOf(capacity.need(part, i, caller)) : null;
      var request = requestOfOwn(body, part, i, caller, credit);
      request.stamp = stamp;
      request.place = i;
      if (body.hasEnded()) {
        request.refuse(body);
      } else {
        body.put(request);
      }
    }
  }

  /** Makes the request for an object of this node, whose call is not traced if there are many. */
  private static CallRequest requestOfOwn(
      Body body,
      MulticastPart part,
      int index,
      @Nullable Body caller,
      @Nullable QueuePlace credit) {
    var result = part.result(index);
    if (!ObserverBinding.isBound() || part.share().indices()[index] < Observer.MOST_MEMBERS) {
      return request(body, part, result, caller, credit);
    }
    var before = ObserverBinding.sends(ObserverBinding.NOT_TRACED);
    try {
      return request(body, part, result, caller, credit);
    } finally {
      ObserverBinding.sends(before);
    }
  }

  private static CallRequest request(
      Body body,
      MulticastPart part,
      @Nullable CallResult result,
      @Nullable Body caller,
      @Nullable QueuePlace credit) {
    var call = part.call();
    var values = part.payload() == null ? call.arguments() : null;
    return CallRequest.local(body, call.called(), values, part.payload(), result, caller, credit);
  }

  /**
   * Sends the calls of a part singly, because an object has just moved. A multicast without objects
   * takes the place of the one that the stamp counts.
   */
  private void numberSingly(
      MulticastPart part,
      MulticastStamp stamp,
      @Nullable Body caller,
      List<NumberedFrame> numbered) {
    var nothing = part.share().select(new int[0]);
    number(
        new MulticastPart(part.call(), part.payload(), nothing, part.results()),
        stamp,
        caller,
        numbered);
    if (part.isCombined()) {
      failures.failCombined(part, caller);
      return;
    }
    for (var i = 0; i < part.size(); i++) {
      var result = part.result(i);
      if (result != null) {
        part.peer().outgoing().answered(result.callId);
      }
      if (part.hasMoved(i)) {
        sendMoved(part, i, caller);
      } else {
        part.peer()
            .outgoing()
            .sendSingly(part.target(i), part.call().called(), part.payload(), result, caller);
      }
    }
  }

  private void number(
      MulticastPart part,
      MulticastStamp stamp,
      @Nullable Body caller,
      List<NumberedFrame> numbered) {
    var result = part.size() == 0 ? null : part.result(0);
    var context =
        ObserverBinding.isObserved(part.call().called()) ? ObserverBinding.sending() : null;
    try {
      var sent =
          part.peer()
              .number(
                  result == null ? 0 : result.callId,
                  new Message.Multicast(
                      part.share().numbers(),
                      part.call().called().symbol(),
                      result != null && result.isValueWanted(),
                      part.share()
                          .isBounded(), // if the method is queued, which the node knows, too
                      stamp,
                      caller == null ? 0 : caller.number(),
                      caller == null ? "" : RemoteCaller.nameOf(caller),
                      part.payload() == null ? List.of() : part.payload().values().side(),
                      context,
                      context == null ? 0 : part.detailed()),
                  part.payload(),
                  result == null ? part.call().called() : null,
                  caller);
      numbered.add(new NumberedFrame(sent, part.peer()));
    } catch (ObjectMovedException e) { // just now
      numberSingly(part, stamp, caller, numbered);
    } catch (NodeLostException e) {
      failures.lost(part, caller, e);
    }
  }
}
