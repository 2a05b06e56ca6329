package org.troupe.activeobjects.internal.mobility;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;

/**
 * The arrivals of the objects that have left a node together. Many are asked for in one question.
 * Thread-safe.
 */
final class Arrivals {

  static final int AT_ONCE = 256; // in one question

  private final BiFunction<NodeId, List<ObjectEpoch>, CompletableFuture<Void>> question;
  private final Map<NodeId, List<ObjectEpoch>> open = new HashMap<>(); // guarded by this
  private final List<Asked> asked = new ArrayList<>(); // guarded by this

  private record Asked(NodeId host, CompletableFuture<Void> answer) {}

  /**
   * Creates the arrivals of no object.
   *
   * @param question asks a node when objects are served there
   */
  Arrivals(BiFunction<NodeId, List<ObjectEpoch>, CompletableFuture<Void>> question) {
    this.question = question;
  }

  /** Adds an object that has left for a node. */
  synchronized void add(NodeId host, ObjectEpoch object) {
    var others = open.computeIfAbsent(host, _ -> new ArrayList<>());
    others.add(object);
    if (others.size() == AT_ONCE) {
      ask(host);
    }
  }

  private void ask(NodeId host) {
    var objects = open.remove(host);
    if (objects != null) {
      try {
        asked.add(new Asked(host, question.apply(host, objects)));
      } catch (NodeLostException e) {
        // They are lost, or made anew elsewhere.
      }
    }
  }

  /**
   * Waits until all objects have arrived that are not lost.
   *
   * @param ends the time of {@link System#nanoTime} at which the waiting ends at the latest
   * @param patienceNanos how long one answer is awaited
   * @return the nodes whose answers were not there in time
   */
  Set<NodeId> await(long ends, long patienceNanos) throws InterruptedException {
    List<Asked> all;
    synchronized (this) {
      List.copyOf(open.keySet()).forEach(this::ask);
      all = List.copyOf(asked);
    }
    Set<NodeId> late = new HashSet<>();
    for (var each : all) {
      var left = Math.min(patienceNanos, ends - System.nanoTime());
      try {
        each.answer.get(late.contains(each.host) ? 0 : Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        late.add(each.host);
      } catch (ExecutionException e) {
        // The node is lost, or one of the objects has ended.
      }
    }
    return late;
  }
}
