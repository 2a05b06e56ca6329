package org.troupe.activeobjects.internal.mobility;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.coordination.LiveNodes;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Peer;

/** Moves the active objects of this node to other nodes, many at a time. */
public final class Evacuation {

  /*
   * Design: a node that leaves loses no call
   *
   * When its objects have moved, the node tells all nodes that it has dealt with where they are, and waits until each has
   * answered: the mark of each caller, which precedes the answer, has then arrived behind all calls by way of this
   * node. It forwards what has arrived, and waits until the other hosts have answered, too, behind all that was
   * forwarded.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int AT_ONCE = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10); // for a safe point, an arrival

  /** How long a node that leaves waits for its objects; some batch systems kill it after 30 s. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final Duration ANSWERS = Duration.ofSeconds(2);
  private static final int MOST_EXPLANATIONS = 3;

  private final NodeObjects node;
  private final MovedObjects moved;
  private final MovingGrid grid;
  private final LiveNodes live;
  private final ObjectMover mover;

  /** Destinations that have joined, as the coordinator says, and are not known here yet. */
  private final Set<NodeId> joining = ConcurrentHashMap.newKeySet();

  Evacuation(
      NodeObjects node, MovedObjects moved, MovingGrid grid, LiveNodes live, ObjectMover mover) {
    this.node = node;
    this.moved = moved;
    this.grid = grid;
    this.live = live;
    this.mover = mover;
  }

  /** Moves all objects; returns the stubs of those that stay. */
  public Object[] run(List<NodeId> destinations) throws InterruptedException {
    return run(destinations, PATIENCE);
  }

  /**
   * Moves all objects; returns the stubs of those that stay.
   *
   * @param patience for the safe point of an object, and for its {@code leaving()}
   */
  Object[] run(List<NodeId> destinations, Duration patience) throws InterruptedException {
    var never = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
    var stay = run(destinations, body -> true, never, patience);
    if (!stay.isEmpty()) {
      LOG.log(
          Level.INFO,
          () ->
              "%s on node '%s': %s"
                  .formatted(
                      stay.size() == 1 ? "1 object stays" : stay.size() + " objects stay",
                      node.id().name(),
                      reasons(stay)));
    }
    return stay.keySet().stream().map(each -> Reference.to(each).stub()).toArray();
  }

  /** Returns the reasons why objects stay, as the end of a sentence. */
  private static String reasons(Map<Body, String> stay) {
    return String.join("; ", stay.values().stream().limit(MOST_EXPLANATIONS).toList())
        + (stay.size() > MOST_EXPLANATIONS ? "; .." : "");
  }

  /**
   * Moves the objects that are to leave with this node, and completes what it forwards. Returns
   * {@code null}.
   */
  public @Nullable Void leaveAlong() throws InterruptedException {
    return leaveAlong(PATIENCE, GRACE);
  }

  /**
   * Moves the objects that are to leave with this node. Returns {@code null}.
   *
   * @param patience for the safe point of an object, and for its {@code leaving()}
   * @param grace for all objects together
   */
  @Nullable Void leaveAlong(Duration patience, Duration grace) throws InterruptedException {
    var ends = System.nanoTime() + grace.toNanos();
    var own = grid.access().describeSelf();
    var destinations =
        live.of("").list().stream()
            .filter(each -> !each.id().equals(own.id()))
            .filter(each -> !Collections.disjoint(each.virtualNodes(), own.virtualNodes()))
            .map(Node::id)
            .toList();
    var stay = run(destinations, each -> each.leavesAlong() || isKept(each), ends, patience);
    stay.keySet().removeIf(this::isMadeAgain);
    if (!stay.isEmpty()) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s with node '%s', which leaves: %s"
                  .formatted(
                      stay.size() == 1 ? "1 object ends" : stay.size() + " objects end",
                      own.id().name(),
                      reasons(stay)));
    }
    grid.storeLastImages();
    tellPlaces();
    return null;
  }

  /** Moves objects; returns those that stay, with the reasons. */
  private Map<Body, String> run(
      List<NodeId> destinations, Predicate<Body> which, long ends, Duration longest)
      throws InterruptedException {
    node.trials().returnAll();
    Set<Body> tried = Collections.newSetFromMap(new IdentityHashMap<>());
    Map<Body, String> stay = Collections.synchronizedMap(new LinkedHashMap<>());
    Map<Body, NodeId> leaving = new ConcurrentHashMap<>();
    var arrivals = new Arrivals(mover::arrival);
    Queue<Body> again = new ConcurrentLinkedQueue<>(); // their destinations have left
    var places = new Semaphore(AT_ONCE);
    Map<NodeId, Integer> loads = Map.of();
    for (List<Body> next; !(next = candidates(which, tried)).isEmpty(); ) {
      tried.addAll(next);
      loads = loads.isEmpty() ? loads(destinations) : loads;
      for (var body : next) {
        var hasPlace = places.tryAcquire(ends - System.nanoTime(), TimeUnit.NANOSECONDS);
        var to = least(loads);
        var patience = Math.min(longest.toNanos(), ends - System.nanoTime());
        if (!hasPlace || to == null || patience <= 0) {
          if (hasPlace) {
            places.release();
          }
          stay.put(
              body, body + (to == null ? " has no node to move to" : " was not moved in time"));
          continue;
        }
        leaving.put(body, to);
        mover
            .leave(body, to, patience)
            .whenComplete(
                (there, failure) -> {
                  if (failure == null) {
                    arrivals.add(to, there);
                  } else if (!body.hasLeft() && !body.hasEnded()) {
                    if (isUsable(to)) {
                      stay.put(body, String.valueOf(failure.getMessage()));
                    } else {
                      again.add(body);
                    }
                  }
                  leaving.remove(body);
                  places.release();
                });
      }
      if (!places.tryAcquire(AT_ONCE, ends - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        leaving.forEach(
            (body, to) ->
                stay.putIfAbsent(body, body + " was not moved to node '" + to + "' in time"));
        break;
      }
      places.release(AT_ONCE); // all have moved, or stay
      loads.keySet().removeIf(each -> !isUsable(each));
      tried.removeAll(again);
      again.clear();
    }
    awaitArrivals(arrivals, ends);
    Map<Body, String> all;
    synchronized (stay) { // a move that has not ended may add to it
      all = new LinkedHashMap<>(stay);
    }
    all.keySet().removeIf(each -> each.hasLeft() || each.hasEnded()); // since they were late
    return all;
  }

  /** Waits for objects that have left; names the nodes that do not serve all of them in time. */
  private void awaitArrivals(Arrivals arrivals, long ends) throws InterruptedException {
    var late = arrivals.await(ends, PATIENCE.toNanos());
    if (!late.isEmpty()) {
      LOG.log(
          Level.WARNING,
          () ->
              "objects that have left node '%s' are not served yet on %s; see what their arrived() waits for"
                  .formatted(
                      node.id().name(),
                      late.stream()
                          .map(each -> "node '" + each.name() + "'")
                          .sorted()
                          .collect(Collectors.joining(", "))));
    }
  }

  private boolean isKept(Body body) {
    return node.host().keeper().isKept(body);
  }

  /** Returns whether an object goes on from its store when this node has left. */
  private boolean isMadeAgain(Body body) {
    return isKept(body) && body.restartPolicy().scope() == Restart.Scope.ELSEWHERE;
  }

  /**
   * Returns the objects of this node that were not tried yet, kept ones first. An image names
   * objects that only this node had known before, so that there may be more after some have moved.
   */
  private List<Body> candidates(Predicate<Body> which, Set<Body> tried) {
    return node.bodies().stream()
        .filter(each -> !each.type().isMiddleware() && which.test(each))
        .filter(each -> each.target() != null && !each.hasEnded() && !each.hasLeft())
        .filter(each -> !tried.contains(each))
        .sorted(Comparator.comparing(each -> !isKept(each)))
        .toList();
  }

  private boolean isUsable(NodeId destination) {
    if (grid.described(destination) == null) {
      return joining.contains(destination);
    }
    joining.remove(destination);
    return live.of("").list().stream().anyMatch(each -> each.id().equals(destination));
  }

  /** Asks the coordinator for a node of whose join this one may not have heard. */
  private void find(NodeId destination) throws InterruptedException {
    if (grid.described(destination) != null) {
      return;
    }
    try {
      var found = grid.find(destination).get(ANSWERS.toNanos(), TimeUnit.NANOSECONDS);
      if (found != null) {
        moved.knows(destination, found.address());
        joining.add(destination);
      }
    } catch (ExecutionException | TimeoutException e) {
      // It cannot be used.
    }
  }

  /** Returns the numbers of objects of nodes. */
  private Map<NodeId, Integer> loads(List<NodeId> destinations) throws InterruptedException {
    Map<NodeId, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
    for (var each : destinations) {
      if (each.equals(node.id())) {
        continue;
      }
      find(each);
      if (isUsable(each)) {
        asked.put(each, grid.serviceOf(each).objects());
      }
    }
    Map<NodeId, Integer> loads = new LinkedHashMap<>();
    for (var each : asked.entrySet()) {
      try {
        loads.put(each.getKey(), each.getValue().get(ANSWERS.toNanos(), TimeUnit.NANOSECONDS));
      } catch (ExecutionException | TimeoutException e) {
        // It is lost, or busy.
      }
    }
    return loads;
  }

  /** Returns the node with the fewest objects, and counts one more for it. */
  private static @Nullable NodeId least(Map<NodeId, Integer> loads) {
    Map.Entry<NodeId, Integer> least = null;
    for (var each : loads.entrySet()) {
      if (least == null || each.getValue() < least.getValue()) {
        least = each;
      }
    }
    if (least == null) {
      return null;
    }
    least.setValue(least.getValue() + 1);
    return least.getKey();
  }

  private void tellPlaces() throws InterruptedException {
    var others =
        grid.peers().all().stream()
            .filter(each -> each.access() == grid.access() && !each.isLost())
            .map(Peer::id)
            .toList();
    if (!moved.isIn(grid) || !moved.tellPlaces(others)) {
      return;
    }
    awaitAnswers(others);
    for (var ends = System.nanoTime() + ANSWERS.toNanos();
        moved.forwards() && System.nanoTime() < ends; ) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    awaitAnswers(others);
  }

  /**
   * Waits until other nodes have answered, and therefore taken all that was sent to them before.
   */
  private void awaitAnswers(List<NodeId> others) throws InterruptedException {
    var ends = System.nanoTime() + ANSWERS.toNanos();
    List<CompletableFuture<?>> asked = new ArrayList<>();
    others.forEach(each -> asked.add(grid.serviceOf(each).objects()));
    for (var each : asked) {
      try {
        each.get(Math.max(0, ends - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        // It is lost, or busy.
      }
    }
  }
}
