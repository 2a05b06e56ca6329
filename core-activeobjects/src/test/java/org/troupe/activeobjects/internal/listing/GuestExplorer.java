package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.GuestGrid.BIRTH;
import static org.troupe.activeobjects.internal.listing.GuestGrid.NODES;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Drives the collection of an object that moves through one random order of moves, gifts, one-way
 * calls, drops, waves, deliveries and deaths. The object also calls other nodes, which may make
 * references of their caller, and nodes decode references from images.
 *
 * <p>The classes of the listing and of the moves are the real ones. What is not in them is modelled
 * on {@code ExportedBodies}, {@code RemoteObjects}, and the package {@code moving}: a node sends
 * its calls to the birthplace until it has heard that the object has moved; a reference stands for
 * a body of its node, or for the object elsewhere; and a body is alive while something refers to
 * it, or something is in its queue.
 */
final class GuestExplorer {

  /** A rule of the protocol that a run does without. */
  enum WithoutRule {
    NONE,
    COPY_TAKEN_ALONG,
    REPORT_BEFORE_ANSWER(14_843),
    SAME_VERSION(50_498),
    VERSION_BEFORE_MARKS,
    GIFTS_HOLD(3_331),
    OWN_MESSAGES_HOLD,
    NOTHING_LEARNT(6_431),
    BODIES_AT_BIRTH,
    MARKS(1_307),
    MARKS_BEHIND_QUEUES,
    IDLE_ROUTES(34_259),
    MARKS_OF_BIRTHPLACE,
    MARKS_OF_BIRTHPLACE_LAST,
    PINNED_AFTER_LOSS,
    CALLER_HELD(151),
    NAMES_PIN(2_987),
    HELD_AGAIN(305),
    COPIES_ON_THEIR_WAY(12_460),
    TAKEN_BACK(4_915),
    HELD_UNTIL_NUMBERED(35_284);

    /** A seed whose run fails without the rule; the search begins there. */
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
    /** The object was collected when it was not needed any more, or it is held for good. */
    SOUND,
    /** The object was collected while a node had a reference, or a call was on its way. */
    TOO_EARLY,
    /** The object was never collected. */
    NEVER
  }

  private static final int STEPS = 250;
  private static final int MOST_STEPS = 6_000;
  private static final int MOST_MOVES = 5;
  private static final int RARELY = 8;
  private static final int SLOWLY = 20; // a link or a body in most runs
  private static final int VERY_SLOWLY = 400; // a node tells of changes
  private static final int LAST_STEPS = 400; // of a run whose object is held for good

  private final Random random;
  private final GuestGrid grid;
  private final boolean hasNames;
  private final boolean hasDeaths;
  private final List<Integer> slowLink;
  private final int slowNode; // whose bodies forward slowly
  private final int lateTeller; // of changes
  private final int calls; // how often a reference is used
  private final int drops; // how often something is dropped, compared with other actions
  private int lastSteps;

  GuestExplorer(long seed, WithoutRule without) {
    random = new Random(seed);
    hasNames = random.nextInt(3) == 0;
    hasDeaths = random.nextInt(3) == 0;
    slowLink = List.of(random.nextInt(NODES), random.nextInt(NODES));
    slowNode = random.nextInt(NODES);
    lateTeller = random.nextInt(NODES);
    calls = 1 + random.nextInt(5);
    drops = 1 + random.nextInt(4);
    grid = new GuestGrid(random, new Random(~seed), without);
    grid.move(2 + random.nextInt(NODES - 2));
  }

  End run() {
    for (var step = 0; step < MOST_STEPS; step++) {
      grid.isWindingUp = step >= STEPS;
      if (grid.hasLostCall) {
        return End.TOO_EARLY;
      }
      if (grid.isCollected && (grid.isQuiet() || ++lastSteps > LAST_STEPS)
          || grid.departed.isPinned() && grid.isWindingUp && ++lastSteps > LAST_STEPS) {
        return End.SOUND;
      }
      var actions = actions(!grid.isWindingUp);
      if (actions.isEmpty()) {
        actions = actions(false);
      }
      if (actions.isEmpty()) {
        return grid.departed.isPinned() || grid.isCollected ? End.SOUND : End.NEVER;
      }
      actions.get(random.nextInt(actions.size())).run();
    }
    return grid.departed.isPinned() || grid.isCollected ? End.SOUND : End.NEVER;
  }

  private boolean isRare() {
    return random.nextInt(RARELY) == 0;
  }

  private static void add(List<Runnable> actions, int weight, Runnable action) {
    for (var i = 0; i < weight; i++) {
      actions.add(action);
    }
  }

  /**
   * Returns what can happen next.
   *
   * @param maySkip whether something slow may be left out
   */
  private List<Runnable> actions(boolean maySkip) {
    List<Runnable> actions = new ArrayList<>();
    grid.links.forEach(
        (link, queue) -> {
          var receiver = grid.nodes.get(link.getLast());
          var isSkipped = maySkip && link.equals(slowLink) && random.nextInt(SLOWLY) != 0;
          if (!queue.isEmpty() && receiver.lives && !isSkipped) {
            add(actions, 3, () -> grid.deliver(link.getFirst(), receiver, queue));
          }
        });
    for (var node : grid.nodes) {
      if (node.lives) {
        addActions(actions, node, maySkip);
      }
    }
    var host = grid.current;
    if (!grid.isCollected && host != null && host.serves && grid.next == null) {
      addActionsOfObject(actions, host);
    }
    var hasLeft = grid.nodes.get(BIRTH).bodies.getFirst().hasLeft;
    if (hasLeft
        && !grid.waves.isAsking()
        && grid.departed.question() != null
        && !grid.isCollected) {
      add(actions, 3, grid.waves::ask);
    }
    return actions;
  }

  private void addActions(List<Runnable> actions, GuestNode node, boolean maySkip) {
    if (!grid.isWindingUp) {
      addUses(actions, node);
    }
    for (var body : node.bodies) {
      var isSkipped = maySkip && node.index == slowNode && random.nextInt(SLOWLY) != 0;
      if (!isSkipped
          && !body.queue.isEmpty()
          && (body.serves || body.hasLeft)
          && !node.isMoving(body)) {
        add(actions, 2, () -> grid.goOn(body));
      }
      if (body.isReferred) {
        add(actions, drops, () -> body.isReferred = false);
      }
    }
    if (node.refers) {
      add(actions, drops, () -> node.refers = false);
    }
    if (node.hasName) {
      actions.add(() -> node.hasName = false);
    }
    var tellsLate = maySkip && node.index == lateTeller && random.nextInt(VERY_SLOWLY) != 0;
    if (node.index != BIRTH && node.copies.hasChanges() && !tellsLate) {
      actions.add(() -> grid.tell(node));
    }
    if (node.index != BIRTH && node.mayClear() && (!node.copies.isOver() || node.hold.isHere())) {
      add(actions, 2 * drops, () -> grid.clear(node));
    }
    node.announced.forEach((view, dead) -> actions.add(() -> grid.apply(node, view, dead)));
    if (hasDeaths && node.where.awaitsMarks() && isRare() && isRare()) {
      actions.add(node.where::repeatMarks); // a forwarder may have died
    }
    if (!node.unnumbered.isEmpty()) {
      actions.add(() -> node.unnumbered.remove().run());
    }
    if (node.mayForgetStays() && isRare()) {
      actions.add(node::forgetStays);
    }
    if (!node.toServe.isEmpty()) {
      actions.add(() -> grid.names.serve(node));
    }
  }

  private void addUses(List<Runnable> actions, GuestNode node) {
    var isUsable = node.refers || node.hasName && !node.isUnconfirmed;
    for (var to : grid.nodes) {
      if (to != node && to.lives && !node.isDead(to.id)) {
        if (node.refers && random.nextBoolean()) {
          actions.add(() -> grid.give(node, to));
        }
        if (node.hasName && !node.isUnconfirmed && isRare()) {
          actions.add(() -> grid.sendCopy(node, to)); // which is not counted
        }
        for (var body : node.bodies) {
          if (body.isReferred && random.nextBoolean()) {
            actions.add(() -> grid.give(node, to));
          }
        }
      }
    }
    if (isUsable) {
      add(actions, calls, () -> grid.call(node));
    }
    for (var body : node.bodies) {
      if (body.isReferred && !(grid.isCollected && body == grid.current)) {
        actions.add(() -> body.put(new GuestGrid.Call(node.index)));
      }
    }
    if (hasNames && isRare() && isRare()) {
      actions.add(() -> grid.names.decode(node));
    }
    if (hasNames && !node.served.isEmpty() && isRare()) {
      actions.add(() -> grid.names.referToCaller(node, node.served.getFirst(), true));
    }
    var isFree =
        grid.current != null
            && grid.current.node != node
            && (grid.next == null || grid.next.node != node);
    if (hasDeaths && node.index > BIRTH && isFree && grid.deathsSoFar < 2 && isRare()) {
      actions.add(() -> grid.die(node));
    }
  }

  private void addActionsOfObject(List<Runnable> actions, GuestBody host) {
    var node = host.node;
    var isHeld = node.hold.holds() || host.isAlive() || node.refers || host.epoch == 0;
    if (!grid.isWindingUp && isHeld) {
      if (grid.moves < MOST_MOVES && isRare()) {
        var to = destination();
        if (to != node.index && grid.nodes.get(to).lives && !node.isDead(GuestGrid.id(to))) {
          add(actions, 5, () -> grid.move(to));
        }
      }
      var callee = grid.nodes.get(random.nextInt(NODES));
      if (hasNames && isRare() && callee != node && callee.lives && !node.isDead(callee.id)) {
        actions.add(() -> grid.names.callOut(host, callee));
      }
    }
    if (node.index == BIRTH && host.epoch > 0 && !node.hold.holds() && !host.isAlive()) {
      add(actions, 2 * drops, () -> grid.collect(host));
    }
  }

  /** Returns where the object moves, more often to a node that has a reference. */
  private int destination() {
    var to = 1 + random.nextInt(NODES - 1);
    return grid.nodes.get(to).refers ? to : 1 + random.nextInt(NODES - 1);
  }
}
