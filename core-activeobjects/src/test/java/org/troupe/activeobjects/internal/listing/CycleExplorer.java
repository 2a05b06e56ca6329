package org.troupe.activeobjects.internal.listing;

import static org.troupe.activeobjects.internal.listing.CycleGrid.COORDINATOR;
import static org.troupe.activeobjects.internal.listing.CycleGrid.NODES;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Drives the collection of cycles over nodes through one random order of calls, collections of the
 * JVMs, rounds of trials, deliveries and deaths.
 */
final class CycleExplorer {

  /** A rule of the protocol that a run does without, to show that the check would miss it. */
  enum WithoutRule {
    NONE,
    MARKED_NAMES(31),
    CLEARED(31),
    UNREFERENCED,
    REPORTED_RETURNS(771),
    HELD_UNTIL_OVER(31),
    KEPT_REFERENCES(115),
    ACKNOWLEDGED_NAMES(321);

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
    /** All objects were collected when nothing could reach them, and none before. */
    SOUND,
    /** An object was collected that could be reached. */
    TOO_EARLY,
    /** An object was never collected. */
    NEVER
  }

  private static final int LEAST_ALIVE = 3;
  private static final int MOST_OBJECTS = 3;
  private static final int SLOWNESS = 20;
  private static final int STEPS = 600;
  private static final int MOST_STEPS = 20_000;

  private final Random random;
  private final CycleGrid grid;
  private final Set<Integer> slow = new HashSet<>(); // links
  private boolean isWindingUp;
  private boolean isCalm; // user code does little for a while

  CycleExplorer(long seed, WithoutRule without) {
    random = new Random(seed);
    grid = new CycleGrid(random, without);
    for (var i = 0; i < NODES; i++) {
      slow.add(random.nextInt(NODES * NODES));
    }
  }

  End run() {
    for (var step = 0; step < MOST_STEPS; step++) {
      if (grid.isTooEarly) {
        return End.TOO_EARLY;
      }
      isWindingUp = step >= STEPS;
      if (isWindingUp) {
        grid.nodes.forEach(each -> each.roots.clear());
        if (step > 2 * STEPS) {
          slow.clear();
        }
        if (grid.nodes.stream().noneMatch(each -> each.lives && !each.objects.isEmpty())) {
          return End.SOUND;
        }
      }
      var actions = actions();
      actions.get(random.nextInt(actions.size())).run();
    }
    return End.NEVER;
  }

  private List<Runnable> actions() {
    List<Runnable> actions = new ArrayList<>();
    isCalm ^= random.nextInt(40) == 0;
    for (var node : grid.nodes) {
      if (node.lives) {
        if (!isWindingUp && (!isCalm || random.nextInt(12) == 0)) {
          userActions(node, actions);
        }
        actions.add(() -> grid.collect(node));
        actions.add(() -> grid.collect(node));
        if (node.held.values().stream().anyMatch(HeldCopies::hasChanges)) {
          actions.add(() -> grid.tell(node));
        }
        for (var object : node.objects.values()) {
          if (object.isDecoding) {
            actions.add(() -> grid.decode(node, object));
          }
        }
      }
    }
    actions.addAll(grid.round.actions(isWindingUp));
    grid.links.forEach(
        (link, queue) -> {
          if (!queue.isEmpty() && grid.nodes.get(link % NODES).lives) {
            Runnable deliver =
                () -> grid.deliver(link / NODES, grid.nodes.get(link % NODES), queue.remove());
            var share = !slow.contains(link) ? 3 : random.nextInt(SLOWNESS) == 0 ? 1 : 0;
            for (var i = 0; i < share; i++) {
              actions.add(deliver);
            }
          }
        });
    return actions;
  }

  private void userActions(CycleNode node, List<Runnable> actions) {
    var roots = List.copyOf(node.roots);
    if (node.index != COORDINATOR && node.objects.size() < MOST_OBJECTS) {
      actions.add(() -> grid.create(node));
    }
    if (!roots.isEmpty()) {
      var target = grid.any(roots);
      if (!node.knownDead.contains((int) target.birth())) {
        Runnable call = () -> grid.call(node, target, grid.any(roots));
        for (var i = 0; i < 3; i++) {
          actions.add(call);
        }
      }
      var to = random.nextInt(NODES);
      if (to != node.index && grid.nodes.get(to).lives && !node.knownDead.contains(to)) {
        actions.add(() -> grid.give(node, grid.any(roots), to));
      }
      if (random.nextInt(3) == 0) {
        actions.add(() -> node.roots.remove(target));
      }
    }
    if (node.index != COORDINATOR
        && grid.nodes.stream().filter(each -> each.lives).count() > LEAST_ALIVE
        && random.nextInt(80) == 0) {
      actions.add(() -> grid.die(node));
    }
  }
}
