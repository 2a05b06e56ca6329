package org.troupe.activeobjects.internal.supervision;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.NodeDescription;

/** Finds nodes for the objects that are to be made anew, a few at a time on each node. */
final class RestartPlacement {

  /*
   * Design: paced restarts
   *
   * PER_PROCESSOR objects are made for each processor of a node at a time, those with waiting callers first. How many
   * objects a node has is asked once for all restarts that are due at a time, and counted here after that.
   *
   * Threads: the lock is held by callers, and guards the state; a thread of its own asks for the numbers of objects.
   */
  private static final int PER_PROCESSOR = 2;
  private static final Duration ANSWERS = Duration.ofMillis(500);

  private final Object lock;
  private final Supervisor.Grid grid;
  private final BiConsumer<SupervisedObject, NodeDescription> embody;
  private final Set<SupervisedObject> ready = new LinkedHashSet<>();
  private final Set<SupervisedObject> urgent = new LinkedHashSet<>(); // ready, and called
  private final Map<NodeId, Integer> making = new HashMap<>(); // how many objects
  private final Map<NodeId, Integer> loads = new HashMap<>();
  private boolean isPlacing;
  private boolean isPlacingAgain; // something has changed while nodes were found

  /**
   * Creates a placement without objects.
   *
   * @param embody lets a node make an object; called with the lock held
   */
  RestartPlacement(
      Object lock, Supervisor.Grid grid, BiConsumer<SupervisedObject, NodeDescription> embody) {
    this.lock = lock;
    this.grid = grid;
    this.embody = embody;
  }

  /** Adds an object that waits for a node. */
  void add(SupervisedObject object) {
    (object.isAwaited() ? urgent : ready).add(object);
  }

  /** Prefers an object, for which a caller waits, if it waits for a node. */
  void prefer(SupervisedObject object) {
    if (ready.remove(object)) {
      urgent.add(object);
    }
  }

  /** Removes an object that is given up. */
  void remove(SupervisedObject object) {
    ready.remove(object);
    urgent.remove(object);
  }

  /** Removes all objects, because the grid ends. */
  void clear() {
    ready.clear();
    urgent.clear();
  }

  /** Forgets a node that is lost. */
  void lost(NodeId node) {
    loads.remove(node);
    making.remove(node);
  }

  /** Records that a node has made an object, or cannot. */
  void made(NodeId node) {
    making.computeIfPresent(node, (same, count) -> count <= 1 ? null : count - 1);
  }

  /** Returns the members on which an object may be made. */
  List<NodeDescription> candidates(SupervisedObject object) {
    return grid.members().stream()
        .filter(object::isAtHomeOn)
        .filter(each -> !object.blind.containsKey(each.id()))
        .toList();
  }

  /** Finds nodes for the objects that wait; called when an object or a node is new. */
  void place() {
    if (ready.isEmpty() && urgent.isEmpty()) {
      return;
    }
    if (isPlacing) {
      isPlacingAgain = true;
      return;
    }
    isPlacing = true;
    var unknown =
        grid.members().stream()
            .filter(each -> !each.virtualNodes().isEmpty() && !loads.containsKey(each.id()))
            .toList();
    if (unknown.isEmpty()) {
      placeNow();
    } else {
      Thread.startVirtualThread(() -> place(unknown));
    }
  }

  private void place(List<NodeDescription> unknown) {
    var asked = new LinkedHashMap<NodeId, CompletableFuture<Integer>>();
    unknown.forEach(each -> asked.put(each.id(), objects(each)));
    var ends = System.nanoTime() + ANSWERS.toNanos();
    Map<NodeId, Integer> answers = new HashMap<>();
    asked.forEach((id, answer) -> answers.put(id, load(answer, ends - System.nanoTime())));
    synchronized (lock) {
      loads.putAll(answers);
      placeNow();
    }
  }

  private CompletableFuture<Integer> objects(NodeDescription member) {
    try {
      return grid.objects(member);
    } catch (RuntimeException failure) { // it is lost already
      return CompletableFuture.failedFuture(failure);
    }
  }

  private static int load(CompletableFuture<Integer> answer, long nanos) {
    try {
      return answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return Integer.MAX_VALUE / 2; // it is lost, or busy
    } catch (InterruptedException e) {
      throw new AssertionError("nothing interrupts this thread", e);
    }
  }

  /** Finds nodes; a node that fails at once calls {@link #place} meanwhile. */
  private void placeNow() {
    try {
      do {
        isPlacingAgain = false;
        placeNow(urgent);
        placeNow(ready);
      } while (isPlacingAgain);
    } finally {
      isPlacing = false; // also after an error, for the objects that become ready later
    }
    if (ready.isEmpty() && urgent.isEmpty()) {
      loads.clear(); // others may add objects until the next restart
    }
  }

  private void placeNow(Set<SupervisedObject> waiting) {
    var all = waiting.iterator();
    while (all.hasNext() && grid.members().stream().anyMatch(this::hasRoom)) {
      var object = all.next();
      var host = host(object);
      if (host != null) {
        all.remove();
        loads.merge(host.id(), 1, Integer::sum);
        making.merge(host.id(), 1, Integer::sum);
        embody.accept(object, host);
      }
    }
  }

  private @Nullable NodeDescription host(SupervisedObject object) {
    NodeDescription least = null;
    for (var each : candidates(object)) {
      if (hasRoom(each) && (least == null || load(each) < load(least))) {
        least = each;
      }
    }
    return least;
  }

  private int load(NodeDescription node) {
    return loads.getOrDefault(node.id(), 0);
  }

  private boolean hasRoom(NodeDescription node) {
    return !node.virtualNodes().isEmpty()
        && making.getOrDefault(node.id(), 0) < PER_PROCESSOR * processors(node);
  }

  private static int processors(NodeDescription node) {
    try {
      return Math.max(1, Integer.parseInt(node.attributes().getOrDefault("processors", "1")));
    } catch (NumberFormatException e) {
      return 1;
    }
  }
}
