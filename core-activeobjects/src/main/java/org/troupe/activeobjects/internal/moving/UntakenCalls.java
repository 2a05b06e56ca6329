package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.CallLog;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.replay.CallOrigin;

/**
 * The calls of the logged objects of one node to objects that do not outlive their nodes: those
 * that were in a queue which was to follow its object, and was lost, are sent again.
 */
final class UntakenCalls {

  /*
   * Design: a queue that was lost behind its object
   *
   * A move is granted, and the former node is lost before the queue has followed. The object lives, and lacks the
   * calls in that queue. A logged caller keeps each of its calls until it was answered or reported as served, for its
   * image needs them. So nothing else is kept here: when a route that led to the lost node gets the new place of the
   * object, the calls are taken from the accounts of the callers, and go in front of all that the route holds.
   *
   * Nothing is served twice: a call that was served before the move is in the account that has moved with the object,
   * and one that had followed it is in that account by now. Nothing overtakes: since its last mark, the route has
   * led to the lost node, whose messages the new host takes no more, and what comes later is behind the calls.
   *
   * If the object itself was lost, it was lost with what it had served, and nothing is sent again: its calls have ended.
   * Calls are neither sent again that were lost on a part of the way of which their node does not know (section 5 of
   * docs/design.md): a later one might have overtaken them.
   *
   * A caller that has ended sends nothing again. That a call was sent again is recorded before it is checked whether
   * its caller ends, so EndedCallers either finds the record, or the call is not sent.
   */

  private final MovedObjects objects;
  private final NodeObjects node;

  UntakenCalls(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  private List<LoggedBody> callers() {
    return node.host().keeper().logged();
  }

  /**
   * Returns the calls of a route that an object may lack, in the order of each caller. Waits for
   * the logs of the callers, and while a save point holds output back; to be called without locks.
   */
  List<Parcel> to(MovedObject object, int route) {
    if (object.isKeepingCalls()) { // the object has them, or gets them in another way
      return List.of();
    }
    List<Parcel> all = new ArrayList<>();
    for (var caller : callers()) {
      var log = caller.logIfKnown();
      var calls = log == null ? List.<CallLog.Untaken>of() : log.untaken(object.identity());
      for (var each : calls) {
        var target = (Reference<?>) each.parts()[0];
        var hasBodyHere = target.target() instanceof Reference.Target.Here;
        if (hasBodyHere == (route == Route.OF_CALLERS)) {
          continue; // it has taken another route
        }
        try {
          all.add(parcel(caller, target, each));
        } catch (RuntimeException failure) { // the route must not wait for good
          node.failures().report(caller, each.method(), failure);
        }
      }
      if (log != null && !calls.isEmpty()) {
        log.awaitRelease();
      }
    }
    return all;
  }

  private Parcel parcel(LoggedBody caller, Reference<?> target, CallLog.Untaken call) {
    var method = target.method(call.method());
    var arguments = new Object[call.parts().length - 1];
    System.arraycopy(call.parts(), 1, arguments, 0, arguments.length);
    Payload payload =
        arguments.length == 0 ? null : node.marshaller().encodeArguments(method, arguments);
    var receiver = call.receiver() instanceof CallResult result ? result : null;
    caller.holdForCalls(); // a node may make a reference to it at any time
    var content =
        new Message.Call(
            0,
            method.symbol(),
            receiver != null && receiver.isValueWanted(),
            false, // such a queue may exceed its bound once
            caller.number(),
            RemoteCaller.nameOf(caller),
            payload == null ? List.of() : payload.values().side(),
            null);
    var callId = receiver == null ? 0 : node.idOf(receiver);
    return new Parcel(
        node.id(),
        "",
        callId,
        content,
        payload,
        null,
        caller,
        OneWayAccount.NONE,
        call.name(),
        true);
  }

  /**
   * Looks for the objects that were born on a lost node, had left it before, and may lack calls of
   * this node, which has not heard of that.
   */
  void follow(NodeId lost, String address) {
    Set<ObjectIdentity> lacking = new HashSet<>();
    for (var caller : callers()) {
      var log = caller.logIfKnown();
      if (log != null) {
        lacking.addAll(log.lacking());
      }
    }
    for (var each : lacking) {
      if (each.birth().equals(lost) && each.number() > 0 && objects.objectIfKnown(each) == null) {
        follow(new ObjectIdentity(lost, address, each.number()));
      }
    }
  }

  private void follow(ObjectIdentity object) {
    objects
        .grid()
        .locate(object)
        .whenComplete(
            (located, failure) -> {
              if (failure == null && !located.isLost() && located.loss().isEmpty()) {
                objects.object(object); // whose route asks again
              }
            });
  }

  /**
   * Returns the calls to send in front of those that a route holds. A caller sends its calls in
   * order, so it has sent, or is about to send, all behind the first one that the route holds.
   */
  static List<Parcel> before(List<Parcel> held, List<Parcel> calls) {
    Map<CallOrigin, Long> first = new HashMap<>();
    for (var each : held) {
      var name = each.name();
      if (name != null) {
        first.merge(name.origin(), name.number(), Math::min);
      }
    }
    List<Parcel> all = new ArrayList<>();
    for (var each : calls) {
      var name = Objects.requireNonNull(each.name(), "the name of a call of a logged object");
      if (name.number() < first.getOrDefault(name.origin(), Long.MAX_VALUE) && !hasEnded(each)) {
        all.add(each);
      }
    }
    return all;
  }

  /** Returns whether the caller of a call has ended, so that nothing is sent again for it. */
  private static boolean hasEnded(Parcel call) {
    return call.caller() instanceof LoggedBody caller
        && (caller.hasEnded() || caller.log().isEnding());
  }
}
