package org.troupe.activeobjects.internal.listing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Drives the protocol of reference listing, for one object, through one random order of gifts,
 * drops, deliveries and deaths.
 */
final class CopyExplorer {

  /** A rule of the protocol that a run does without, to show that the check would miss it. */
  enum WithoutRule {
    NONE,
    ONE_CHANGE,
    DROPPED_AT_HOME,
    STRUCK_RECEIVER,
    STRUCK_GIVER,
    UNSTATED_DROPS,
    STATEMENT(5364),
    UNTOLD_IN_STATEMENT(262),
    ALL_STATEMENTS(581),
    EARLY_STATEMENT(30_784),
    ACKNOWLEDGEMENT(23_468),
    ACKNOWLEDGED_CHANGES(23_468),
    ORDERED_STATEMENTS,
    LOST_MEMBERS,
    ANNOUNCED_LOSSES;

    /** The first seed whose run fails without the rule; the search begins there. */
    final long firstSeed;

    WithoutRule() {
      this(0);
    }

    WithoutRule(long firstSeed) {
      this.firstSeed = firstSeed;
    }
  }

  /** What a run has ended with. */
  enum End {
    /** The object was found to be unreferenced when it was, and not before. */
    SOUND,
    /** The object was found to be unreferenced while a copy existed or was on its way. */
    TOO_EARLY,
    /** The object was never found to be unreferenced. */
    NEVER
  }

  private static final int NODES = 6;
  static final int COORDINATOR = 0; // never dies, as the grid would end
  private static final String GRID = "grid";
  static final int HOST = 1; // never dies, as the object would be lost
  private static final int LEAST_ALIVE = 3;
  private static final int STEPS = 150;
  private static final int SLOWNESS = 10;
  private static final int MOST_STEPS = 3_000;

  /** A message on a link. */
  private sealed interface Message {
    /** A frame with a reference. */
    record Copy() implements Message {}

    record Told(CopyChanges changes) implements Message {}

    record Statement(int lost, int count) implements Message {}

    /** The request to acknowledge all that was sent before. */
    record Acknowledge(List<Loss> losses) implements Message {}

    record Acknowledgement(List<Loss> losses) implements Message {}

    record Died(int lost, long view) implements Message {}

    record Stated(long view) implements Message {}

    record Settled(long view) implements Message {}
  }

  /** A loss and the view that announced it. */
  record Loss(int node, long view) {}

  private final Random random;
  private final WithoutRule without;
  final List<Participant> nodes = new ArrayList<>();
  private final Map<List<Integer>, Deque<Message>> links = new TreeMap<>(CopyExplorer::compare);
  private final NodeDeaths deaths;
  final HostedCopies hosted;
  private final Statements statements;
  boolean isRootAtHost = true; // user code of the host refers to the object
  private boolean isWindingUp;
  private final List<Integer> slowLink; // from a node to the host
  private long view;

  /** A node. */
  static final class Participant {
    final HeldCopies copies;
    final List<Loss> toApply = new ArrayList<>();
    final Set<Long> unstated = new HashSet<>(); // views of deaths
    final List<Loss> toState = new ArrayList<>();
    boolean isStating; // and awaits acknowledgements
    long lastChange; // the view announced last
    final Set<Integer> knownDead = new HashSet<>();
    boolean lives = true;
    boolean refers; // user code refers to the object
    boolean hasTold; // since the last statement
    @Nullable CopyChanges rest; // of a change that is told in two parts

    Participant(HeldCopies copies) {
      this.copies = copies;
    }
  }

  CopyExplorer(long seed, WithoutRule without) {
    this.random = new Random(seed);
    this.without = without;
    slowLink = List.of(random.nextBoolean() ? random.nextInt(NODES) : HOST, HOST); // or none
    deaths =
        new NodeDeaths(HOST) {
          @Override
          public boolean areSettled() {
            return without == WithoutRule.ALL_STATEMENTS || super.areSettled();
          }
        };
    hosted =
        new HostedCopies(deaths) {
          @Override
          public void cameHome(long giver) {
            if (without != WithoutRule.DROPPED_AT_HOME) {
              super.cameHome(giver);
            }
          }

          @Override
          boolean countsDrops(long giver, long teller) {
            return without == WithoutRule.UNSTATED_DROPS || super.countsDrops(giver, teller);
          }

          @Override
          boolean isStruck(long giver, long receiver, long lost) {
            return giver == lost && without != WithoutRule.STRUCK_GIVER
                || receiver == lost && without != WithoutRule.STRUCK_RECEIVER;
          }
        };
    statements =
        new Statements() {
          @Override
          public void lost(long member, long itsView) {
            super.lost(member, itsView);
            if (without == WithoutRule.LOST_MEMBERS) {
              joined(member, 0);
            }
          }
        };
    for (var i = 0; i < NODES; i++) {
      nodes.add(new Participant(newCopies()));
      statements.joined(i, 0);
    }
  }

  private HeldCopies newCopies() {
    return new HeldCopies() {
      @Override
      public int statement(long lost) {
        return without == WithoutRule.STATEMENT ? 0 : super.statement(lost);
      }

      @Override
      int untoldDrops(long giver) {
        return without == WithoutRule.UNTOLD_IN_STATEMENT ? 0 : super.untoldDrops(giver);
      }
    };
  }

  private static void repeat(int count, Runnable action) {
    for (var i = 0; i < count; i++) {
      action.run();
    }
  }

  private static int compare(List<Integer> one, List<Integer> other) {
    var first = Integer.compare(one.get(0), other.get(0));
    return first != 0 ? first : Integer.compare(one.get(1), other.get(1));
  }

  End run() {
    for (var step = 0; step < MOST_STEPS; step++) {
      isWindingUp = step >= STEPS;
      if (isWindingUp) {
        isRootAtHost = false;
      }
      if (!isRootAtHost && hosted.isUnreferenced()) {
        return isReachable() ? End.TOO_EARLY : End.SOUND;
      }
      var actions = actions();
      if (actions.isEmpty()) {
        return End.NEVER;
      }
      actions.get(random.nextInt(actions.size())).run();
    }
    return End.NEVER;
  }

  boolean isReachable() {
    for (var node : nodes) {
      if (node.lives && node.refers) {
        return true;
      }
    }
    for (var link : links.entrySet()) {
      var receiver = nodes.get(link.getKey().get(1));
      if (receiver.lives
          && !receiver.knownDead.contains(link.getKey().get(0))
          && link.getValue().stream().anyMatch(Message.Copy.class::isInstance)) {
        return true;
      }
    }
    return false;
  }

  private List<Runnable> actions() {
    List<Runnable> actions = new ArrayList<>();
    for (var i = 0; i < NODES; i++) {
      var index = i;
      var node = nodes.get(i);
      if (!node.lives) {
        continue;
      }
      if (!isWindingUp && (i == HOST ? isRootAtHost : node.refers)) {
        for (var j = 0; j < NODES; j++) {
          var to = j;
          if (to != i && !node.knownDead.contains(to)) {
            actions.add(() -> give(index, to));
          }
        }
      }
      if (i != HOST && node.refers) {
        actions.add(() -> drop(node));
      }
      if (i != HOST && (node.copies.hasChanges() || node.rest != null)) {
        actions.add(() -> tell(index));
        actions.add(() -> tell(index));
      }
      if (!node.toApply.isEmpty()) {
        actions.add(() -> applyAny(index));
        actions.add(() -> applyAny(index));
      }
      if (!node.toState.isEmpty() && mayState(node)) {
        actions.add(() -> state(index));
        actions.add(() -> state(index));
      }
      if (i > HOST && !isWindingUp && alive() > LEAST_ALIVE && random.nextInt(25) == 0) {
        actions.add(() -> die(index));
      }
    }
    if (isRootAtHost) {
      actions.add(() -> isRootAtHost = false);
    }
    links.forEach(
        (link, queue) -> {
          var isDelayed = link.equals(slowLink) && random.nextInt(SLOWNESS) > 0;
          if (!queue.isEmpty() && nodes.get(link.get(1)).lives && !isDelayed) {
            Runnable deliver = () -> deliver(link.get(0), link.get(1), queue);
            repeat(3, () -> actions.add(deliver));
          }
        });
    var slow = links.get(slowLink);
    if (actions.isEmpty() && slow != null && !slow.isEmpty()) {
      actions.add(() -> deliver(slowLink.get(0), slowLink.get(1), slow));
    }
    return actions;
  }

  private long alive() {
    return nodes.stream().filter(each -> each.lives).count();
  }

  private void send(int from, int to, Message message) {
    if (nodes.get(to).lives) {
      links.computeIfAbsent(List.of(from, to), _ -> new ArrayDeque<>()).add(message);
    }
  }

  void give(int from, int to) {
    if (from == HOST) {
      hosted.given(to);
    } else {
      nodes.get(from).copies.given(to);
    }
    send(from, to, new Message.Copy());
  }

  static void drop(Participant node) {
    node.refers = false;
    node.copies.cleared();
  }

  void tell(int index) {
    var node = nodes.get(index);
    var changes = node.rest == null ? node.copies.takeChanges() : node.rest;
    node.rest = null;
    if (changes == null) {
      return;
    }
    if (without == WithoutRule.ONE_CHANGE
        && !changes.given().isEmpty()
        && !changes.dropped().isEmpty()) {
      node.rest = new CopyChanges(changes.given(), Map.of());
      changes = new CopyChanges(Map.of(), changes.dropped());
    }
    node.hasTold = true;
    send(index, HOST, new Message.Told(changes));
  }

  /** Ends a node; its last messages may not have left it. */
  void die(int index) {
    nodes.get(index).lives = false;
    for (var link : links.entrySet()) {
      if (link.getKey().get(1) == index) {
        link.getValue().clear();
      } else if (link.getKey().get(0) == index && !link.getValue().isEmpty()) {
        repeat(random.nextInt(link.getValue().size() + 1), link.getValue()::removeLast);
      }
    }
    view++;
    for (var i = 0; i < NODES; i++) {
      if (i == COORDINATOR) {
        announced(i, new Loss(index, view));
      } else {
        send(COORDINATOR, i, new Message.Died(index, view));
      }
    }
    statements.lost(index, view); // all have been told first
    announceSettled();
  }

  /** Delivers the oldest message on a link. */
  void deliver(int from, int to) {
    deliver(from, to, links.getOrDefault(List.of(from, to), new ArrayDeque<>()));
  }

  /** Delivers all messages on a link. */
  void deliverAll(int from, int to) {
    while (!links.getOrDefault(List.of(from, to), new ArrayDeque<>()).isEmpty()) {
      deliver(from, to);
    }
  }

  private void deliver(int from, int to, Deque<Message> queue) {
    var node = nodes.get(to);
    switch (queue.remove()) {
      case Message.Copy _ when to == HOST -> {
        hosted.cameHome(from);
        isRootAtHost = true;
      }
      case Message.Copy _ -> {
        node.copies.received(from);
        node.refers = true;
      }
      case Message.Told(CopyChanges changes) -> hosted.told(from, changes);
      case Message.Statement(int lost, int count) -> {
        if (without != WithoutRule.EARLY_STATEMENT && deaths.statedBefore(lost)) {
          hosted.died(lost);
        }
        hosted.stated(lost, from, count);
      }
      case Message.Acknowledge(var losses) -> send(HOST, from, new Message.Acknowledgement(losses));
      case Message.Acknowledgement(var losses) -> {
        node.isStating = false;
        losses.forEach(each -> stated(to, each.view()));
      }
      case Message.Died(int lost, long itsView) -> announced(to, new Loss(lost, itsView));
      case Message.Stated(long itsView) -> {
        statements.stated(from, itsView);
        announceSettled();
      }
      case Message.Settled(long itsView) -> settled(to, itsView);
    }
    if (isWindingUp) {
      isRootAtHost = false;
    }
  }

  private void announced(int index, Loss loss) {
    var node = nodes.get(index);
    node.toApply.add(loss);
    node.unstated.add(loss.view());
    node.lastChange = loss.view();
    var countsIt =
        without != WithoutRule.ANNOUNCED_LOSSES
            && without != WithoutRule.ORDERED_STATEMENTS; // either rule suffices
    if (index == HOST && countsIt) {
      deaths.announced(loss.node(), GRID, loss.view());
    }
  }

  /** Applies one of the deaths that were announced; a node that has left may be heard longer. */
  private void applyAny(int index) {
    var node = nodes.get(index);
    apply(index, node.toApply.get(random.nextInt(node.toApply.size())));
  }

  void apply(int index, Loss loss) {
    nodes.get(index).toApply.remove(loss);
    applied(index, loss.node(), loss.view());
  }

  /** Applies a death on a node, which takes nothing of the dead node from now on. */
  private void applied(int index, int lost, long itsView) {
    var node = nodes.get(index);
    node.knownDead.add(lost);
    var fromLost = links.get(List.of(lost, index));
    if (fromLost != null) {
      fromLost.clear();
    }
    if (index == HOST) {
      if (deaths.died(lost, GRID, itsView)) {
        hosted.died(lost);
      }
      stated(index, itsView);
      return;
    }
    node.toState.add(new Loss(lost, itsView));
  }

  boolean mayState(Participant node) {
    return !node.isStating || without == WithoutRule.ORDERED_STATEMENTS;
  }

  /** States what a node has received from lost ones, and awaits the acknowledgement of the host. */
  private void state(int index) {
    var losses = List.copyOf(nodes.get(index).toState);
    if (without == WithoutRule.ORDERED_STATEMENTS) { // any of them, whatever others await
      losses = List.of(losses.get(random.nextInt(losses.size())));
    }
    state(index, losses);
  }

  void state(int index, List<Loss> losses) {
    var node = nodes.get(index);
    node.toState.removeAll(losses);
    var mustAcknowledge = node.hasTold && without != WithoutRule.ACKNOWLEDGED_CHANGES;
    node.hasTold = false;
    for (var each : losses) {
      var count = node.copies.statement(each.node());
      if (count > 0) {
        mustAcknowledge = true;
        send(index, HOST, new Message.Statement(each.node(), count));
      }
    }
    if (mustAcknowledge && without != WithoutRule.ACKNOWLEDGEMENT) {
      node.isStating = true;
      send(index, HOST, new Message.Acknowledge(losses));
    } else {
      losses.forEach(each -> stated(index, each.view()));
    }
  }

  private void stated(int index, long itsView) {
    var node = nodes.get(index);
    node.unstated.remove(itsView);
    var upTo =
        node.unstated.stream().mapToLong(Long::longValue).min().orElse(node.lastChange + 1) - 1;
    if (index == COORDINATOR) {
      statements.stated(index, upTo);
      announceSettled();
    } else {
      send(index, COORDINATOR, new Message.Stated(upTo));
    }
  }

  private void announceSettled() {
    var upTo = statements.newlySettled();
    if (upTo == 0) {
      return;
    }
    for (var i = 0; i < NODES; i++) {
      if (i == COORDINATOR) {
        settled(i, upTo);
      } else {
        send(COORDINATOR, i, new Message.Settled(upTo));
      }
    }
  }

  private void settled(int index, long itsView) {
    if (index == HOST) {
      deaths.settled(GRID, itsView);
    }
  }
}
