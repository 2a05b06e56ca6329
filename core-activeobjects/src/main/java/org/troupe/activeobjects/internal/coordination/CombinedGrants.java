package org.troupe.activeobjects.internal.coordination;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;

/**
 * Combines the requests of one node for grants of moves by another: those to one destination that
 * come while a request is under way go together in the next. A single move waits for none.
 * Thread-safe.
 */
final class CombinedGrants {

  /*
   * Design: an evacuation has dozens of moves under way. A grant takes a request, two announcements and an answer, each with
   * a change of threads on another node, and they all take the coordinator's lock. Combined, these are shared by all
   * moves that have become ready during the last request.
   */

  private static final int MOST = 1_000; // in one request, which takes the coordinator's lock

  private final BiFunction<ObjectEpoch[], NodeId, CompletableFuture<boolean[]>> request;

  /** The moves that wait, by the destinations of the requests under way; guarded by itself. */
  private final Map<NodeId, List<Waiting>> underWay = new HashMap<>();

  private record Waiting(ObjectEpoch move, CompletableFuture<Boolean> answer) {}

  /**
   * Creates the requests of a node.
   *
   * @param request sends a request for the grants of moves to one destination
   */
  CombinedGrants(BiFunction<ObjectEpoch[], NodeId, CompletableFuture<boolean[]>> request) {
    this.request = request;
  }

  /** Requests the grant of a move. */
  CompletableFuture<Boolean> request(ObjectEpoch move, NodeId to) {
    var waiting = new Waiting(move, new CompletableFuture<>());
    synchronized (underWay) {
      var others = underWay.putIfAbsent(to, new ArrayList<>());
      if (others != null) {
        others.add(waiting);
        return waiting.answer;
      }
    }
    send(List.of(waiting), to);
    return waiting.answer;
  }

  private void send(List<Waiting> moves, NodeId to) {
    attempt(moves.stream().map(Waiting::move).toArray(ObjectEpoch[]::new), to)
        .whenComplete(
            (granted, failure) -> { // on the thread that receives the answer
              sendNext(to);
              for (var i = 0; i < moves.size(); i++) {
                if (failure == null) {
                  moves.get(i).answer.complete(granted[i]);
                } else {
                  moves.get(i).answer.completeExceptionally(failure);
                }
              }
            });
  }

  private CompletableFuture<boolean[]> attempt(ObjectEpoch[] moves, NodeId to) {
    try {
      return request.apply(moves, to);
    } catch (RuntimeException | Error failure) { // else later moves wait for this request for ever
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void sendNext(NodeId to) {
    List<Waiting> next;
    synchronized (underWay) {
      var waiting = underWay.getOrDefault(to, List.of());
      if (waiting.isEmpty()) {
        underWay.remove(to);
        return;
      }
      var first = waiting.subList(0, Math.min(waiting.size(), MOST));
      next = List.copyOf(first);
      first.clear();
    }
    send(next, to);
  }
}
