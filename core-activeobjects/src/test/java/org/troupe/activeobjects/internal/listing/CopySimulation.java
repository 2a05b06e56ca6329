package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets many nodes exchange references to many objects for some simulated time, while nodes are
 * lost, and checks that their collectors take nothing that can be reached, and leave nothing else.
 *
 * <p>The graph has no cycles, since the list of copies does not find those: an object refers only
 * to objects with higher numbers.
 */
final class CopySimulation {

  /*
   * One step is a second. In each, user code exchanges and drops references; then all that was sent in the step before
   * arrives; then each JVM collects: it clears what neither its user code nor an object that other nodes may refer to
   * reaches; and then each node tells its changes. So a message takes up to two seconds, and a collector runs
   * while references are on their way.
   */

  private static final String GRID = "grid";
  private static final int COORDINATOR = 0; // never dies, as the grid would end
  private static final int MOST_EDGES = 4;

  private final Random random;
  private final Participant[] nodes;
  private final int[] hosts; // of the objects
  private final Map<Integer, Item> items = new HashMap<>(); // that exist
  private final Statements statements = new Statements();
  private final BitSet reachable = new BitSet();
  private long view;
  private long collected;
  private long settlingMessages;
  private int deathCount;

  /** An object. */
  private static final class Item {
    final Set<Integer> edges = new HashSet<>(4);
    @Nullable HostedCopies copies; // null: no reference has left the node
  }

  /** A message on a link. */
  private sealed interface Message {
    /** A frame with a reference to an object, for a field of another. */
    record Copy(int object, int holder) implements Message {}

    record Told(Map<Integer, CopyChanges> changes) implements Message {}

    record Statement(int object, int lost, int count, long view) implements Message {}

    record Acknowledgement(int object, long view) implements Message {}

    record Died(int lost, long view) implements Message {}

    record Stated(long view) implements Message {}

    record Settled(long view) implements Message {}
  }

  /** A message and its sender. */
  private record Sent(int from, Message message) {}

  /** A node. */
  private static final class Participant {
    final int index;
    final NodeDeaths deaths;
    final Map<Integer, HeldCopies> held = new HashMap<>(); // by the objects of other nodes
    final Set<Integer> roots = new HashSet<>(); // objects that user code refers to
    final Set<Integer> hosted = new HashSet<>();
    final Set<Integer> knownDead = new HashSet<>();
    final Map<Long, Integer> unstated = new HashMap<>(); // statements under way, by views
    Deque<Sent> arriving = new ArrayDeque<>();
    Deque<Sent> sent = new ArrayDeque<>(); // to this node, in this step
    boolean lives = true;
    long applied;

    Participant(int index) {
      this.index = index;
      this.deaths = new NodeDeaths(index);
    }
  }

  /**
   * Creates nodes with objects, of which each node's user code refers to some.
   *
   * @param rooted one of how many objects user code refers to
   */
  CopySimulation(long seed, int nodeCount, int objects, int rooted) {
    random = new Random(seed);
    nodes = new Participant[nodeCount];
    for (var i = 0; i < nodeCount; i++) {
      nodes[i] = new Participant(i);
      statements.joined(i, 0);
    }
    hosts = new int[objects];
    for (var i = 0; i < objects; i++) {
      hosts[i] = random.nextInt(nodeCount);
      items.put(i, new Item());
      var host = nodes[hosts[i]];
      host.hosted.add(i);
      host.roots.add(i); // until references to all were exchanged
    }
    for (var i = 0; i < objects - 1; i++) {
      for (var edge = random.nextInt(MOST_EDGES); edge > 0; edge--) {
        var target = i + 1 + random.nextInt(Math.min(1_000, objects - 1 - i));
        give(hosts[target], target, i);
      }
    }
    deliver();
    deliver();
    for (var i = 0; i < objects; i++) {
      if (i % rooted != 0) {
        nodes[hosts[i]].roots.remove(i);
      }
    }
  }

  long collected() {
    return collected;
  }

  int left() {
    return items.size();
  }

  /** Returns how many messages per member and loss say that all has been stated. */
  double settlingMessagesPerLoss() {
    return deathCount == 0 ? 0 : (double) settlingMessages / deathCount / nodes.length;
  }

  /** Lets the grid run, and loses a node each time some seconds have passed. */
  void run(int seconds, int exchanges, int secondsPerLoss) {
    for (var second = 1; second <= seconds; second++) {
      mark();
      for (var i = 0; i < exchanges; i++) {
        exchange();
      }
      if (second % secondsPerLoss == 0) {
        loseOne();
      }
      step();
    }
  }

  /** Lets the grid run without exchanges until nothing is collected for some seconds. */
  void settle(int quietSeconds) {
    for (var quiet = 0; quiet < quietSeconds; quiet++) {
      var before = collected;
      step();
      if (collected != before || isBusy()) {
        quiet = -1;
      }
    }
  }

  private boolean isBusy() {
    for (var node : nodes) {
      if (node.lives && (!node.arriving.isEmpty() || !node.sent.isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private void step() {
    deliver();
    mark();
    for (var node : nodes) {
      if (node.lives) {
        collect(node);
      }
    }
    for (var node : nodes) {
      if (node.lives) {
        tell(node);
      }
    }
  }

  /** Returns how many objects exist that nothing can reach any more. */
  int garbage() {
    mark();
    return (int) items.keySet().stream().filter(each -> !reachable.get(each)).count();
  }

  // User code

  private void exchange() {
    var item = random.nextInt(hosts.length);
    var from = items.get(item);
    if (from == null || !reachable.get(item) || !nodes[hosts[item]].lives) {
      return;
    }
    if (random.nextInt(3) == 0) {
      drop(item, from);
      return;
    }
    if (from.edges.isEmpty()) {
      return;
    }
    var edges = List.copyOf(from.edges);
    var target = edges.get(random.nextInt(edges.size()));
    var holder = random.nextBoolean() ? neighbour(target) : random.nextInt(target);
    if (items.containsKey(holder)) {
      give(hosts[item], target, holder);
    }
  }

  /** Returns an object with a lower number on the same node, to which references come home. */
  private int neighbour(int object) {
    var hosted = nodes[hosts[object]].hosted.stream().filter(each -> each < object).toList();
    return hosted.isEmpty() ? 0 : hosted.get(random.nextInt(hosted.size()));
  }

  private void drop(int item, Item from) {
    if (!from.edges.isEmpty() && random.nextInt(4) != 0) {
      var edges = from.edges.iterator();
      edges.next();
      edges.remove();
    } else {
      nodes[hosts[item]].roots.remove(item);
    }
  }

  /** Lets a node write a reference into a frame for the node of another object. */
  private void give(int giver, int object, int holder) {
    var from = nodes[giver];
    var to = hosts[holder];
    if (to == giver) {
      var known = items.get(holder);
      if (known != null && (hosts[object] == giver || from.held.containsKey(object))) {
        known.edges.add(object);
      }
      return;
    }
    if (from.knownDead.contains(to) || !nodes[hosts[object]].lives) {
      return;
    }
    if (hosts[object] == giver) {
      var item = items.get(object);
      if (item == null) {
        return;
      }
      if (item.copies == null) {
        item.copies = new HostedCopies(from.deaths);
      }
      item.copies.given(to);
    } else {
      var held = from.held.get(object);
      if (held == null) {
        return;
      }
      held.given(to);
    }
    send(giver, to, new Message.Copy(object, holder));
  }

  // Links

  private void send(int from, int to, Message message) {
    if (nodes[to].lives) {
      nodes[to].sent.add(new Sent(from, message));
    }
  }

  private void deliver() {
    for (var node : nodes) {
      var all = node.arriving;
      node.arriving = node.sent;
      node.sent = new ArrayDeque<>();
      for (var each : all) {
        if (node.lives && !node.knownDead.contains(each.from)) {
          deliver(node, each.from, each.message);
        }
      }
    }
  }

  private void deliver(Participant node, int from, Message message) {
    switch (message) {
      case Message.Copy(int object, int holder) -> received(node, from, object, holder);
      case Message.Told(Map<Integer, CopyChanges> changes) ->
          changes.forEach(
              (object, change) -> {
                var copies = copiesOf(object);
                if (copies != null) {
                  copies.told(from, change);
                }
              });
      case Message.Statement(int object, int lost, int count, long itsView) -> {
        if (node.deaths.statedBefore(lost)) {
          strikeOut(node, lost);
        }
        var copies = copiesOf(object);
        if (copies != null) {
          copies.stated(lost, from, count);
        }
        send(node.index, from, new Message.Acknowledgement(object, itsView));
      }
      case Message.Acknowledgement(int _, long itsView) -> acknowledged(node, itsView);
      case Message.Died(int lost, long itsView) -> applied(node, lost, itsView);
      case Message.Stated(long itsView) -> {
        statements.stated(from, itsView);
        announceSettled();
      }
      case Message.Settled(long itsView) -> node.deaths.settled(GRID, itsView);
    }
  }

  private @Nullable HostedCopies copiesOf(int object) {
    var item = items.get(object);
    return item == null ? null : item.copies;
  }

  private void received(Participant node, int from, int object, int holder) {
    var target = items.get(object);
    if (hosts[object] == node.index) {
      if (target == null || target.copies == null) {
        throw new AssertionError("a reference came home to object " + object + ", which is gone");
      }
      target.copies.cameHome(from);
    } else {
      node.held.computeIfAbsent(object, each -> new HeldCopies()).received(from);
    }
    var its = items.get(holder);
    if (its != null) {
      its.edges.add(object);
    }
  }

  private void tell(Participant node) {
    Map<Integer, Map<Integer, CopyChanges>> all = new HashMap<>(); // by the hosts
    for (var each = node.held.entrySet().iterator(); each.hasNext(); ) {
      var entry = each.next();
      var host = hosts[entry.getKey()];
      var changes = entry.getValue().takeChanges();
      if (changes != null) {
        all.computeIfAbsent(host, one -> new HashMap<>()).put(entry.getKey(), changes);
      }
      if (entry.getValue().isOver()) {
        each.remove();
      }
    }
    all.forEach((host, changes) -> send(node.index, host, new Message.Told(changes)));
  }

  // Collectors

  /** Finds all objects that user code reaches anywhere, also by references on their way. */
  private void mark() {
    reachable.clear();
    Deque<Integer> open = new ArrayDeque<>();
    for (var node : nodes) {
      if (node.lives) {
        open.addAll(node.roots);
        for (var queue : List.of(node.arriving, node.sent)) {
          for (var each : queue) {
            if (each.message instanceof Message.Copy(int object, int holder)
                && !node.knownDead.contains(each.from)
                && isReached(holder, node)) {
              open.add(object);
            }
          }
        }
      }
    }
    follow(open, reachable, -1);
  }

  /** A reference for an object that is gone by then is garbage on arrival. */
  private boolean isReached(int holder, Participant node) {
    return items.containsKey(holder) && nodes[hosts[holder]] == node;
  }

  /**
   * Marks what is reached.
   *
   * @param host the node whose objects are followed; negative for all
   */
  private void follow(Deque<Integer> open, BitSet marks, int host) {
    for (Integer next; (next = open.poll()) != null; ) {
      var item = items.get(next);
      if (item == null || marks.get(next)) {
        continue;
      }
      marks.set(next);
      if (host < 0 || hosts[next] == host) {
        open.addAll(item.edges);
      }
    }
  }

  private void collect(Participant node) {
    var marks = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(node.roots);
    for (var each : node.hosted) {
      var copies = copiesOf(each);
      if (copies != null && !copies.isUnreferenced()) {
        open.add(each);
      }
    }
    follow(open, marks, node.index);
    node.held.forEach(
        (object, held) -> {
          if (!marks.get(object)) {
            held.cleared();
          }
        });
    for (Iterator<Integer> hosted = node.hosted.iterator(); hosted.hasNext(); ) {
      var each = hosted.next();
      if (!marks.get(each)) {
        if (reachable.get(each)) {
          throw new AssertionError("object " + each + " was collected, but can be reached");
        }
        hosted.remove();
        items.remove(each);
        collected++;
      }
    }
  }

  // Losses

  private void loseOne() {
    var lost = 1 + random.nextInt(nodes.length - 1);
    var node = nodes[lost];
    if (!node.lives) {
      return;
    }
    deathCount++;
    node.lives = false;
    node.arriving.clear();
    node.sent.clear();
    node.hosted.forEach(items::remove);
    for (var each : nodes) { // its last messages may not have left it
      if (random.nextBoolean()) {
        removeLast(each.sent, lost);
      }
    }
    view++;
    statements.lost(lost, view);
    for (var i = 0; i < nodes.length; i++) {
      if (i == COORDINATOR) {
        applied(nodes[i], lost, view);
      } else {
        send(COORDINATOR, i, new Message.Died(lost, view));
      }
    }
    announceSettled();
  }

  private static void removeLast(Deque<Sent> queue, int from) {
    for (var last = queue.descendingIterator(); last.hasNext(); ) {
      if (last.next().from == from) {
        last.remove();
        return;
      }
    }
  }

  private void strikeOut(Participant node, int lost) {
    for (var each : node.hosted) {
      var copies = copiesOf(each);
      if (copies != null) {
        copies.died(lost);
      }
    }
  }

  /** Applies a loss on a node, which takes nothing of the lost node from now on. */
  private void applied(Participant node, int lost, long itsView) {
    node.knownDead.add(lost);
    node.applied = itsView;
    node.arriving.removeIf(each -> each.from == lost);
    node.sent.removeIf(each -> each.from == lost);
    if (node.deaths.died(lost, GRID, itsView)) {
      strikeOut(node, lost);
    }
    var statementCount = 0;
    for (var each = node.held.entrySet().iterator(); each.hasNext(); ) {
      var entry = each.next();
      var host = hosts[entry.getKey()];
      if (host == lost) {
        each.remove(); // the object is lost
        continue;
      }
      var count = entry.getValue().statement(lost);
      if (count != 0 && !node.knownDead.contains(host)) {
        statementCount++;
        send(node.index, host, new Message.Statement(entry.getKey(), lost, count, itsView));
      }
    }
    node.unstated.put(itsView, statementCount);
    // Objects of the lost node acknowledge nothing any more.
    if (statementCount == 0) {
      stated(node, itsView);
    }
  }

  private void acknowledged(Participant node, long itsView) {
    var left = node.unstated.merge(itsView, -1, Integer::sum);
    if (left == 0) {
      stated(node, itsView);
    }
  }

  private void stated(Participant node, long itsView) {
    node.unstated.remove(itsView);
    var upTo = node.unstated.keySet().stream().mapToLong(Long::longValue).min();
    var statedUpTo = upTo.isPresent() ? upTo.getAsLong() - 1 : node.applied;
    if (node.index == COORDINATOR) {
      statements.stated(node.index, statedUpTo);
      announceSettled();
    } else {
      settlingMessages++;
      send(node.index, COORDINATOR, new Message.Stated(statedUpTo));
    }
  }

  private void announceSettled() {
    var upTo = statements.newlySettled();
    if (upTo == 0) {
      return;
    }
    for (var i = 0; i < nodes.length; i++) {
      if (i == COORDINATOR) {
        nodes[i].deaths.settled(GRID, upTo);
      } else if (nodes[i].lives) {
        settlingMessages++;
        send(COORDINATOR, i, new Message.Settled(upTo));
      }
    }
  }
}
