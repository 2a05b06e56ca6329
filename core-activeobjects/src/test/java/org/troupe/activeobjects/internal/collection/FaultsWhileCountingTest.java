package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/**
 * Each step of counting references, on each node that passes it, while that node ends. A node ends
 * when it first passes the step; {@code -Dtroupe.long=true} lets it end at the second time, too.
 */
@Timeout(90)
class FaultsWhileCountingTest {

  private static final int NODES = 4;
  private static final int HOST = 0;
  private static final int SACRIFICE = NODES - 1;
  private static final int PASSAGES =
      Integer.getInteger("troupe.passages", Boolean.getBoolean("troupe.long") ? 2 : 1);

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : EnumSet.range(CopyStep.GIVEN, CopyStep.SETTLED)) {
      for (var node = 0; node < SACRIFICE; node++) {
        for (var passage = 1; passage <= PASSAGES; passage++) {
          all.add(Arguments.of(step, node, passage));
        }
      }
    }
    return all.stream();
  }

  @AfterEach
  void removePlan() {
    CopyStep.follow(null);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whatCanBeCalledLivesAndTheRestIsCollected(CopyStep step, int node, int passage) {
    var name = "fault at " + step + " on " + node + ", " + passage;
    try (var grid = InProcessGrid.start(NODES)) {
      List<Keeper> keepers = new ArrayList<>();
      for (var i = 0; i < NODES; i++) {
        keepers.add(ActiveObjects.on(grid.get(i)).create(Keeper.class));
      }
      follow(grid, step, grid.get(node).id(), passage);

      unlessLost(() -> give(grid, name, keepers.get(1)));
      unlessLost(() -> keepers.get(1).hand(name, keepers.get(SACRIFICE)));
      unlessLost(() -> keepers.get(SACRIFICE).hand(name, keepers.get(2)));
      unlessLost(() -> keepers.get(1).handOver(name, keepers.get(2)));
      settle(grid);
      grid.kill(SACRIFICE);
      settle(grid);
      unlessLost(() -> keepers.get(2).hand(name, keepers.get(1)));
      settle(grid);
      CopyStep.follow(null);

      if (grid.member(HOST).givenUp() != null) {
        return; // the object was lost with its node
      }
      for (var each : List.of(keepers.get(1), keepers.get(2))) {
        unlessLost(
            () -> {
              if (each.names().contains(name)) {
                assertThat(each.call(name)).isEqualTo(name);
                each.forget(name);
              }
            });
      }
      assertThat(eventually(grid, () -> isGone(name))).as("the object is collected").isTrue();
    }
  }

  private static void give(InProcessGrid grid, String name, Keeper keeper) {
    keeper.keep(name, ActiveObjects.on(grid.get(HOST)).create(Subject.class, name));
  }

  /** Runs a step of the script, which a lost node may prevent. */
  private static void unlessLost(Runnable step) {
    try {
      step.run();
    } catch (NodeLostException e) {
      // one of the nodes that take part
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(NodeLostException.class);
    } catch (ObjectTerminatedException e) {
      assertThat(e).as("only a closed node ends an object").hasMessageContaining("closed");
    } catch (NullPointerException e) {
      // the keeper has nothing to hand on, since an earlier step was prevented
    }
  }

  private static void follow(InProcessGrid grid, CopyStep step, NodeId node, int passage) {
    var passages = new AtomicInteger();
    CopyStep.follow(
        (at, where) -> {
          if (at == step && where.equals(node) && passages.incrementAndGet() == passage) {
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            Faults.happen(() -> grid.kill(index));
          }
        });
  }
}
