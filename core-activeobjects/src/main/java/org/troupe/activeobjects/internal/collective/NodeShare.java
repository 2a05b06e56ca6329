package org.troupe.activeobjects.internal.collective;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Peer;

/**
 * The objects of one node among the recipients of a call. The arrays are not changed.
 *
 * @param home the other node; {@code null} for the own node
 * @param objects in the order of their indices
 * @param indices the indices of the objects among all recipients
 * @param numbers the numbers of the objects on the other node; empty for the own node
 * @param isBounded whether the queue of an object has a bound
 */
record NodeShare(
    @Nullable Peer home, Reference<?>[] objects, int[] indices, long[] numbers, boolean isBounded) {

  /** Divides consecutive objects by their nodes, in the order of the first object of each. */
  static List<NodeShare> divide(List<? extends Ref<?>> objects, int from, int to) {
    Map<Object, List<Integer>> byNode = new LinkedHashMap<>();
    for (var index = from; index < to; index++) {
      var key =
          switch (((Reference<?>) objects.get(index)).target()) {
            case Reference.Target.Here here -> NodeShare.class;
            case Reference.Target.Elsewhere there -> there.home();
          };
      byNode.computeIfAbsent(key, _ -> new ArrayList<>()).add(index);
    }
    List<NodeShare> shares = new ArrayList<>(byNode.size());
    byNode.forEach(
        (node, indices) -> {
          var ranks = indices.stream().mapToInt(index -> index).toArray();
          var own = new Reference<?>[ranks.length];
          for (var i = 0; i < own.length; i++) {
            own[i] = (Reference<?>) objects.get(ranks[i]);
          }
          shares.add(of(node instanceof Peer peer ? peer : null, own, ranks));
        });
    return shares;
  }

  private static NodeShare of(@Nullable Peer home, Reference<?>[] objects, int[] indices) {
    var numbers = new long[home == null ? 0 : objects.length];
    var isBounded = false;
    for (var i = 0; i < objects.length; i++) {
      switch (objects[i].target()) {
        case Reference.Target.Here(var body) -> isBounded |= body.queueBound() > 0;
        case Reference.Target.Elsewhere(_, var number, var bound, _, _) -> {
          numbers[i] = number;
          isBounded |= bound != 0;
        }
      }
    }
    return new NodeShare(home, objects, indices, numbers, isBounded);
  }

  /** Returns some of the objects, by their places in this share. */
  NodeShare select(int[] places) {
    var some = new Reference<?>[places.length];
    var itsIndices = new int[places.length];
    for (var i = 0; i < places.length; i++) {
      some[i] = objects[places[i]];
      itsIndices[i] = indices[places[i]];
    }
    return of(home, some, itsIndices);
  }
}
