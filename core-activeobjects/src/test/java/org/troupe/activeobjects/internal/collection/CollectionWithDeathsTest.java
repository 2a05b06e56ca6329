package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/**
 * Nodes that have given references away, or received some, are killed. A build draws the orders of
 * two seeds; {@code -Dtroupe.long=true} draws those of sixty.
 */
@Timeout(120)
class CollectionWithDeathsTest {

  private static final int HOST = 0;
  private static final long SEEDS = Boolean.getBoolean("troupe.long") ? 60 : 2;

  private static Keeper keeper(InProcessGrid grid, int node) {
    return ActiveObjects.on(grid.get(node)).create(Keeper.class);
  }

  private static void give(InProcessGrid grid, String name, Keeper keeper) {
    keeper.keep(name, ActiveObjects.on(grid.get(HOST)).create(Subject.class, name));
  }

  private static void kill(InProcessGrid grid, int node) {
    grid.kill(node);
    until(() -> !grid.get(node).isAlive(), "the death of node " + node);
  }

  private static void assertCollected(InProcessGrid grid, String name) {
    assertThat(eventually(grid, () -> isGone(name))).as(name + " is collected").isTrue();
  }

  @Test
  void anObjectOutlivesTheNodeThatPassedItOn() {
    try (var grid = InProcessGrid.start(3)) {
      var giver = keeper(grid, 1);
      var receiver = keeper(grid, 2);
      give(grid, "from the dead", giver);
      giver.hand("from the dead", receiver);
      kill(grid, 1);
      settle(grid);
      assertThat(receiver.call("from the dead")).isEqualTo("from the dead");
      receiver.forget("from the dead");
      assertCollected(grid, "from the dead");
    }
  }

  @Test
  void anObjectThatOnlyADeadNodeReferredToIsCollected() {
    try (var grid = InProcessGrid.start(2)) {
      var keeper = keeper(grid, 1);
      give(grid, "with the dead", keeper);
      settle(grid);
      assertThat(keeper.call("with the dead")).isEqualTo("with the dead");
      kill(grid, 1);
      assertCollected(grid, "with the dead");
    }
  }

  @Test
  void anObjectWhoseReferenceIsLostWithItsNodeIsCollected() {
    var transport = new FaultyTransport();
    try (var grid = InProcessGrid.start(3, transport)) {
      var giver = keeper(grid, 1);
      var receiver = keeper(grid, 2);
      give(grid, "lost in a frame", giver);
      give(grid, "kept", receiver);
      transport.cut(2, 3); // those of the nodes 1 and 2
      giver.handOver("lost in a frame", receiver);
      kill(grid, 1);
      assertCollected(grid, "lost in a frame");
      assertThat(receiver.callAll()).containsExactly("kept");
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, SEEDS);
  }

  /** Hands references around between nodes, some of which are killed. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whatALiveNodeKeepsCanBeCalledAndTheRestIsCollected(long seed) {
    var random = new Random(seed);
    var nodes = 6;
    try (var grid = InProcessGrid.start(nodes)) {
      Map<Integer, Keeper> keepers = new HashMap<>();
      for (var i = 1; i < nodes; i++) {
        keepers.put(i, keeper(grid, i));
      }
      Map<Integer, Set<String>> kept = new HashMap<>();
      keepers.keySet().forEach(each -> kept.put(each, new HashSet<>()));
      List<String> all = new ArrayList<>();
      for (var step = 0; step < 300; step++) {
        var alive = List.copyOf(keepers.keySet());
        var from = alive.get(random.nextInt(alive.size()));
        var to = alive.get(random.nextInt(alive.size()));
        until(() -> holds(keepers.get(from), kept.get(from)), "the references having arrived");
        var names = List.copyOf(kept.get(from));
        var name = names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
        switch (random.nextInt(8)) {
          case 0 -> {
            var made = seed + "/" + step;
            all.add(made);
            give(grid, made, keepers.get(from));
            kept.get(from).add(made);
          }
          case 1, 2 -> {
            if (!name.isEmpty() && !from.equals(to)) {
              keepers.get(from).hand(name, keepers.get(to));
              kept.get(to).add(name);
            }
          }
          case 3, 4 -> {
            if (!name.isEmpty() && !kept.get(to).contains(name)) {
              keepers.get(from).handOver(name, keepers.get(to));
              kept.get(from).remove(name);
              kept.get(to).add(name);
            }
          }
          case 5 -> {
            if (!name.isEmpty()) {
              keepers.get(from).forget(name);
              kept.get(from).remove(name);
            }
          }
          case 6 -> {
            for (var i = 0; i < nodes; i++) {
              grid.member(i).node().objects().tell();
            }
            System.gc();
          }
          default -> {
            if (alive.size() > 2 && random.nextInt(12) == 0) {
              until(
                  () -> alive.stream().allMatch(i -> holds(keepers.get(i), kept.get(i))),
                  "all references having arrived");
              keepers.remove(from);
              kept.remove(from);
              grid.kill(from);
            }
          }
        }
      }
      keepers.forEach(
          (index, keeper) ->
              until(() -> holds(keeper, kept.get(index)), "the references having arrived"));
      settle(grid);
      keepers.forEach(
          (index, keeper) ->
              assertThat(
                      valueOf(ActiveObjects.ref(keeper).ask(Keeper::callAll), "calls to all kept"))
                  .as("kept by node " + index)
                  .containsExactlyInAnyOrderElementsOf(kept.get(index)));
      keepers.forEach(
          (index, keeper) -> List.copyOf(kept.get(index)).forEach(each -> keeper.forget(each)));
      all.forEach(each -> assertCollected(grid, each));
    }
  }

  private static boolean holds(Keeper keeper, Set<String> names) {
    return new HashSet<>(keeper.names()).equals(names);
  }
}
