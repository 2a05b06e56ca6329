package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.listing.CycleExplorer.WithoutRule;

/**
 * The nodes of {@link CycleExplorer}, the links between them, and the objects: their references,
 * calls and trials, and the deaths of nodes.
 */
final class CycleGrid {

  static final int NODES = 4;
  static final int COORDINATOR = 0; // never dies, as the grid would end
  private static final String GRID = "grid";

  final Random random;
  final List<CycleNode> nodes = new ArrayList<>();
  final Map<Integer, Deque<CycleMessage>> links = new TreeMap<>(); // by from * NODES + to
  final CycleRound round;
  boolean isTooEarly;
  private final WithoutRule without;
  private final Statements statements = new Statements();
  private long view;
  private long lastNumber;

  CycleGrid(Random random, WithoutRule without) {
    this.random = random;
    this.without = without;
    round = new CycleRound(this, without);
    for (var i = 0; i < NODES; i++) {
      nodes.add(new CycleNode(i, newTrials()));
      statements.joined(i, 0);
    }
  }

  private NodeTrials newTrials() {
    return new NodeTrials() {
      @Override
      public boolean isHeld(long number) {
        return super.isHeld(number)
            && (without != WithoutRule.HELD_UNTIL_OVER || unreturned().contains(number));
      }

      @Override
      boolean reportsReturned() {
        return without != WithoutRule.REPORTED_RETURNS;
      }

      @Override
      boolean isProved(boolean isCleared, boolean isUnreferenced) {
        return (isCleared || without == WithoutRule.CLEARED)
            && (isUnreferenced || without == WithoutRule.UNREFERENCED);
      }
    };
  }

  static int compare(ObjectName one, ObjectName other) {
    var first = Long.compare(one.birth(), other.birth());
    return first != 0 ? first : Long.compare(one.number(), other.number());
  }

  /** Returns an element of a list, at random. */
  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  // Objects and references

  void create(CycleNode node) {
    var name = new ObjectName(node.index, ++lastNumber);
    node.objects.put(name.number(), new CycleObject(name, new HostedCopies(node.deaths)));
    node.roots.add(name);
  }

  private @Nullable CycleObject local(CycleNode node, ObjectName name) {
    return node.objects.get(name.number());
  }

  private static boolean isLocal(CycleNode node, ObjectName name) {
    return name.birth() == node.index;
  }

  private HeldCopies held(CycleNode node, ObjectName name) {
    return node.held.computeIfAbsent(name, _ -> new HeldCopies());
  }

  void call(CycleNode node, ObjectName target, ObjectName argument) {
    if (isLocal(node, target)) {
      take(node, target, argument);
      return;
    }
    var to = (int) target.birth();
    counts(node, argument, to);
    send(node.index, to, new CycleMessage.Call(target, argument));
  }

  void give(CycleNode node, ObjectName object, int to) {
    counts(node, object, to);
    send(node.index, to, new CycleMessage.Reference(object));
  }

  private void counts(CycleNode node, ObjectName argument, int to) {
    if (isLocal(node, argument)) {
      var object = local(node, argument);
      if (object != null) {
        object.copies.given(to);
        counted(node, object);
      }
    } else {
      held(node, argument).given(to);
    }
  }

  /** Takes a call, whose argument the node holds from now on. */
  private void take(CycleNode node, ObjectName target, ObjectName argument) {
    var object = local(node, target);
    if (object == null) {
      isTooEarly = true;
      return;
    }
    returns(node, object);
    object.queue.add(argument);
    if (!object.isDecoding) {
      serve(node, object);
    }
  }

  private void serve(CycleNode node, CycleObject object) {
    for (var argument : object.queue) {
      var known = List.copyOf(object.references);
      switch (random.nextInt(6)) {
        case 0 -> node.roots.add(argument);
        case 1 -> {
          if (!known.isEmpty()) {
            node.roots.add(any(known));
          }
        }
        case 2 -> {
          if (!known.isEmpty()) {
            object.references.remove(any(known));
          }
        }
        default -> object.references.add(argument);
      }
    }
    object.queue.clear();
  }

  private void arrived(CycleNode node, ObjectName name, int giver) {
    if (!isLocal(node, name)) {
      held(node, name).received(giver);
      return;
    }
    var object = local(node, name);
    if (object == null) {
      isTooEarly = true;
      return;
    }
    returns(node, object);
    object.copies.cameHome(giver);
    counted(node, object);
  }

  private static void counted(CycleNode node, CycleObject object) {
    node.trials.counted(object.name.number(), object.copies.isUnreferenced());
  }

  /** Lets an object return from its trial, if it is on trial. */
  private static void returns(CycleNode node, CycleObject object) {
    if (node.trials.returns(object.name.number())) {
      object.isDecoding = object.isCleared;
      object.isCleared = false;
      object.kept = object.isDecoding ? object.kept : Set.of();
    }
  }

  void decode(CycleNode node, CycleObject object) {
    object.isDecoding = false;
    object.kept = Set.of();
    object.references.clear();
    for (var name : object.image) {
      object.references.add(name);
      if (isLocal(node, name)) {
        var other = local(node, name);
        if (other != null) {
          returns(node, other);
        }
      } else if (!node.knownDead.contains((int) name.birth())) {
        var host = (int) name.birth();
        held(node, name).received(host);
        node.unacknowledged.merge(host, 1, Integer::sum);
        send(node.index, host, new CycleMessage.Kept(name));
      }
    }
    serve(node, object);
    finishIfReady(node);
  }

  void tell(CycleNode node) {
    node.held.forEach(
        (name, copies) -> {
          var changes = copies.takeChanges();
          if (changes != null) {
            send(node.index, (int) name.birth(), new CycleMessage.Told(name, changes));
          }
        });
  }

  /** Lets the collector of a JVM run. */
  void collect(CycleNode node) {
    Set<ObjectName> reached = new HashSet<>();
    Deque<ObjectName> unvisited = new ArrayDeque<>(node.roots);
    for (var object : node.objects.values()) {
      unvisited.addAll(object.queue);
      var isOnTrial = node.trials.isOnTrial(object.name.number());
      if (!isOnTrial
          && (!object.copies.isUnreferenced() || node.trials.isHeld(object.name.number()))) {
        unvisited.add(object.name);
      }
      unvisited.addAll(object.kept);
    }
    for (ObjectName next; (next = unvisited.poll()) != null; ) {
      if (reached.add(next) && isLocal(node, next)) {
        var object = local(node, next);
        if (object != null && !object.isCleared && !object.isDecoding) {
          unvisited.addAll(object.references);
        }
      }
    }
    for (var object : List.copyOf(node.objects.values())) {
      if (reached.contains(object.name) || object.isCleared || object.isDecoding) {
        continue;
      }
      if (node.trials.isOnTrial(object.name.number())) {
        node.trials.cleared(object.name.number());
        object.isCleared = true;
        object.references.clear();
      } else {
        collected(node, object);
      }
    }
    node.held.forEach(
        (name, copies) -> {
          if (!reached.contains(name)) {
            copies.cleared();
          }
        });
  }

  private void collected(CycleNode node, CycleObject object) {
    if (needed().contains(object.name)) {
      isTooEarly = true;
    }
    node.objects.remove(object.name.number());
    node.trials.ended(object.name.number());
  }

  /** Returns the objects that a thread of a node, or a message under way, can reach. */
  private Set<ObjectName> needed() {
    Deque<ObjectName> unvisited = new ArrayDeque<>();
    for (var node : nodes) {
      if (node.lives) {
        unvisited.addAll(node.roots);
        node.objects
            .values()
            .forEach(
                each -> {
                  if (!each.queue.isEmpty()) {
                    unvisited.add(each.name);
                    unvisited.addAll(each.queue);
                  }
                });
      }
    }
    links.forEach(
        (link, queue) -> {
          var receiver = nodes.get(link % NODES);
          if (receiver.lives && !receiver.knownDead.contains(link / NODES)) {
            for (var message : queue) {
              switch (message) {
                case CycleMessage.Reference(var object) -> unvisited.add(object);
                case CycleMessage.Call(var target, var argument) ->
                    unvisited.addAll(List.of(target, argument));
                default -> {}
              }
            }
          }
        });
    Set<ObjectName> needed = new HashSet<>();
    for (ObjectName next; (next = unvisited.poll()) != null; ) {
      var host = nodes.get((int) next.birth());
      if (host.lives && needed.add(next)) {
        var object = local(host, next);
        if (object != null) {
          unvisited.addAll(object.refersTo());
        }
      }
    }
    return needed;
  }

  // Trials

  Collection<CycleNode> living() {
    return nodes.stream().filter(each -> each.lives).toList();
  }

  private void prepare(CycleNode node, @Nullable Set<Long> candidates) {
    Set<Long> prepared = new TreeSet<>();
    for (var object : node.objects.values()) {
      var number = object.name.number();
      var isWanted = candidates == null ? random.nextInt(3) > 0 : candidates.contains(number);
      if (isWanted && !object.isDecoding) {
        object.image = List.copyOf(object.references);
        node.trials.prepared(number, object.image, object.copies.isUnreferenced());
        prepared.add(number);
      }
    }
    send(node.index, COORDINATOR, new CycleMessage.Prepared(prepared));
  }

  private void go(CycleNode node, Set<ObjectName> all) {
    for (var object : node.objects.values()) {
      if (node.trials.begins(object.name.number()) && without != WithoutRule.KEPT_REFERENCES) {
        object.kept = new HashSet<>(object.image);
        object.kept.removeAll(all);
      }
    }
  }

  private void free(CycleNode node, Set<Long> numbers) {
    for (var number : numbers) {
      var object = node.objects.get(number);
      if (object != null) {
        collected(node, object);
      }
    }
  }

  private void finish(CycleNode node) {
    for (var number : node.trials.unreturned()) {
      var object = node.objects.get(number);
      if (object != null) {
        returns(node, object);
      }
    }
    node.finishes = true;
    finishIfReady(node);
  }

  private void finishIfReady(CycleNode node) {
    var isReady =
        node.objects.values().stream().noneMatch(each -> each.isDecoding)
            && (node.unacknowledged.isEmpty() || without == WithoutRule.ACKNOWLEDGED_NAMES);
    if (node.finishes && isReady) {
      node.finishes = false;
      send(node.index, COORDINATOR, new CycleMessage.Finished());
    }
  }

  // Messages

  void send(int from, int to, CycleMessage message) {
    if (nodes.get(to).lives) {
      links.computeIfAbsent(from * NODES + to, _ -> new ArrayDeque<>()).add(message);
    }
  }

  void deliver(int from, CycleNode node, CycleMessage message) {
    switch (message) {
      case CycleMessage.Reference(var name) -> {
        arrived(node, name, from);
        node.roots.add(name);
      }
      case CycleMessage.Call(var target, var argument) -> {
        arrived(node, argument, from);
        take(node, target, argument);
      }
      case CycleMessage.Told(var name, var changes) -> {
        var object = local(node, name);
        if (object != null) {
          object.copies.told(from, changes);
          counted(node, object);
        }
      }
      case CycleMessage.Kept(var name) -> {
        var object = local(node, name);
        if (object != null) {
          object.copies.given(from);
          counted(node, object);
        }
        send(node.index, from, new CycleMessage.KeptAcknowledged());
      }
      case CycleMessage.KeptAcknowledged _ -> {
        node.unacknowledged.computeIfPresent(from, (_, count) -> count == 1 ? null : count - 1);
        finishIfReady(node);
      }
      case CycleMessage.Statement(var name, int lost, int count, long itsView) -> {
        if (node.deaths.statedBefore(lost)) {
          strikeOut(node, lost);
        }
        var object = local(node, name);
        if (object != null) {
          object.copies.stated(lost, from, count);
          counted(node, object);
        }
        send(node.index, from, new CycleMessage.Acknowledgement(itsView));
      }
      case CycleMessage.Acknowledgement(long itsView) -> acknowledged(node, itsView);
      case CycleMessage.Died(int lost, long itsView) -> applied(node, lost, itsView);
      case CycleMessage.Stated(long itsView) -> {
        statements.stated(from, itsView);
        announceSettled();
      }
      case CycleMessage.Settled(long itsView) -> settled(node, itsView);
      case CycleMessage.Prepare(var candidates) -> prepare(node, candidates);
      case CycleMessage.Prepared(var numbers) -> round.prepared(from, numbers);
      case CycleMessage.Go(var all) -> go(node, all);
      case CycleMessage.Ask(int itsPoll) ->
          send(node.index, COORDINATOR, new CycleMessage.Answer(itsPoll, node.trials.report()));
      case CycleMessage.Answer(int itsPoll, var report) -> round.reported(from, itsPoll, report);
      case CycleMessage.Free(var numbers) -> free(node, numbers);
      case CycleMessage.Finish _ -> finish(node);
      case CycleMessage.Finished _ -> round.finished(from);
      case CycleMessage.Over _ -> node.trials.over();
    }
  }

  // Deaths

  void die(CycleNode dying) {
    dying.lives = false;
    for (var i = 0; i < NODES; i++) {
      links.remove(i * NODES + dying.index);
      var sent = links.get(dying.index * NODES + i);
      if (sent != null && !sent.isEmpty()) {
        for (var lost = random.nextInt(sent.size() + 1); lost > 0; lost--) {
          sent.removeLast();
        }
      }
    }
    view++;
    statements.lost(dying.index, view);
    for (var each : living()) {
      if (each.index == COORDINATOR) {
        applied(each, dying.index, view);
      } else {
        send(COORDINATOR, each.index, new CycleMessage.Died(dying.index, view));
      }
    }
    announceSettled();
    round.died(dying.index);
  }

  private void strikeOut(CycleNode node, int lost) {
    for (var object : node.objects.values()) {
      object.copies.died(lost);
      counted(node, object);
    }
  }

  private void applied(CycleNode node, int lost, long itsView) {
    node.knownDead.add(lost);
    node.applied = itsView;
    links.remove(lost * NODES + node.index);
    node.roots.removeIf(each -> each.birth() == lost);
    node.unacknowledged.remove(lost);
    if (node.deaths.died(lost, GRID, itsView)) {
      strikeOut(node, lost);
    }
    node.unstated.put(itsView, 1);
    node.held.forEach(
        (name, copies) -> {
          var count = copies.statement(lost);
          if (count > 0 && nodes.get((int) name.birth()).lives) {
            node.unstated.merge(itsView, 1, Integer::sum);
            send(
                node.index,
                (int) name.birth(),
                new CycleMessage.Statement(name, lost, count, itsView));
          }
        });
    acknowledged(node, itsView);
    finishIfReady(node);
  }

  private void acknowledged(CycleNode node, long itsView) {
    node.unstated.computeIfPresent(itsView, (_, count) -> count == 1 ? null : count - 1);
    var upTo =
        node.unstated.keySet().stream().mapToLong(Long::longValue).min().orElse(node.applied + 1)
            - 1;
    if (node.index == COORDINATOR) {
      statements.stated(node.index, upTo);
      announceSettled();
    } else {
      send(node.index, COORDINATOR, new CycleMessage.Stated(upTo));
    }
  }

  private void announceSettled() {
    var upTo = statements.newlySettled();
    if (upTo == 0) {
      return;
    }
    for (var each : living()) {
      if (each.index == COORDINATOR) {
        settled(each, upTo);
      } else {
        send(COORDINATOR, each.index, new CycleMessage.Settled(upTo));
      }
    }
  }

  private void settled(CycleNode node, long itsView) {
    node.deaths.settled(GRID, itsView);
    node.objects.values().forEach(each -> counted(node, each));
  }
}
