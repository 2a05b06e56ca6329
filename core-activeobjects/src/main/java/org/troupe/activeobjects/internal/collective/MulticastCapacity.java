package org.troupe.activeobjects.internal.collective;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.capacity.CapacityNeed;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;

/** The room that the calls of a multicast need in the queues of the called objects. */
final class MulticastCapacity {

  private final NodeObjects node;

  MulticastCapacity(NodeObjects node) {
    this.node = node;
  }

  /** Returns what the calls need of bounded queues, to be taken in one step. */
  List<CapacityNeed> needs(List<MulticastPart> parts, @Nullable Body caller) {
    if (!node.queueCapacity().isCrowded() && parts.stream().noneMatch(this::mayNeedCapacity)) {
      return List.of();
    }
    Map<CallQueue, CapacityNeed> needs = new LinkedHashMap<>();
    for (var part : parts) {
      for (var i = 0; i < part.size(); i++) {
        var need = need(part, i, caller);
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
        for (var object : part.share().objects()) {
          var order = needOfOrder(object.target(), part.call().called());
          if (order != null) {
            needs.putIfAbsent(order.queue(), order);
          }
        }
      }
    }
    return List.copyOf(needs.values());
  }

  private boolean mayNeedCapacity(MulticastPart part) {
    var home = part.home();
    return part.share().isBounded()
        || (home == null ? node.memory().isFull() : home.isBacklogged());
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
          case Reference.Target.Here(Body body) -> body.statedBound();
          case Reference.Target.Elsewhere there -> there.bound();
        };
    return passes ? null : CapacityNeed.ofOrder(target.queue(), method, bound);
  }

  /** Returns what one call of a part needs of a bounded queue. */
  @Nullable CapacityNeed need(MulticastPart part, int index, @Nullable Body caller) {
    var method = part.call().called();
    return switch (part.share().objects()[index].target()) {
      case Reference.Target.Here(Body body) -> node.calls().need(body, method, caller);
      case Reference.Target.Elsewhere there -> part.peer().outgoing().need(there, method);
    };
  }

  /** Returns the refusal of one call of a part, or {@code null}. */
  @Nullable OverloadedException refusal(
      MulticastPart part,
      int index,
      Map<CallQueue, OverloadedException> refusals,
      @Nullable Body caller) {
    var need = need(part, index, caller);
    return need == null || !need.isRefused() ? null : refusals.get(need.queue());
  }

  /**
   * Waits until the queues have room for one-way calls.
   *
   * @throws OverloadedException if a queue refuses its calls
   */
  void acquire(List<MulticastPart> parts, List<CapacityNeed> needs) {
    if (needs.isEmpty()) {
      return;
    }
    var called = parts.getFirst().call().called();
    var nanos =
        parts.stream()
            .flatMap(part -> Stream.of(part.share().objects()))
            .mapToLong(each -> node.calls().limitNanos(each, called))
            .min()
            .orElseThrow();
    var call = called + " of a group";
    if (!node.queueCapacity().acquire(needs, call, nanos)) {
      throw QueueCapacity.timeOut(call, nanos);
    }
  }

  /** Gives back the room of a call that is not sent. */
  void release(CapacityNeed need) {
    node.queueCapacity().release(List.of(need));
  }
}
