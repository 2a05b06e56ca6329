package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/**
 * Each step of the release of an object that has moved, on each node that passes it, while that
 * node ends.
 */
@Timeout(90)
class FaultsWhileReleasingTest {

  private static final int BIRTH = 0;
  private static final int FORMER = 1; // a former host
  private static final int HOST = 2;
  private static final int OTHER = 3;

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (var step : EnumSet.range(CopyStep.ASKED, CopyStep.RELEASED)) {
      for (var node = BIRTH; node <= HOST; node++) {
        all.add(Arguments.of(step, node));
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
  void whatCanBeCalledLives(CopyStep step, int node) {
    var name = "fault at " + step + " on " + node;
    try (var grid = InProcessGrid.start(4)) {
      List<TravellersHost> hosts = new ArrayList<>();
      for (var i = 0; i < 4; i++) {
        hosts.add(ActiveObjects.on(grid.get(i)).create(TravellersHost.class));
      }
      moveAndGive(grid, name, hosts.get(HOST));
      followOnce(grid, step, node);

      settle(grid); // and release, as only the host has a reference
      unlessLost(() -> hosts.get(HOST).hand(name, hosts.get(OTHER)));
      unlessLost(() -> hosts.get(HOST).drop(name));
      settle(grid);
      CopyStep.follow(null);

      if (!grid.get(HOST).isAlive()) {
        return; // the object was lost with its node
      }
      assertThat(hosts.get(OTHER).stopsOf(name)).isEqualTo(2);
      hosts.get(OTHER).drop(name); // it is held for good, as a node was lost
    }
  }

  private static void moveAndGive(InProcessGrid grid, String name, TravellersHost keeper) {
    var traveller = ActiveObjects.on(grid.get(BIRTH)).create(Traveller.class, name);
    ActiveObjects.ref(traveller).move(grid.get(FORMER).id()).join();
    ActiveObjects.ref(traveller).move(grid.get(HOST).id()).join();
    keeper.keep(traveller);
  }

  /** Runs a step of the script, which a lost node may prevent. */
  private static void unlessLost(Runnable step) {
    try {
      step.run();
    } catch (NodeLostException e) {
      // one of the nodes that take part
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(NodeLostException.class);
    }
  }

  private static void followOnce(InProcessGrid grid, CopyStep step, int node) {
    var id = grid.get(node).id();
    var hasHappened = new AtomicBoolean();
    CopyStep.follow(
        (at, where) -> {
          if (at == step && where.equals(id) && hasHappened.compareAndSet(false, true)) {
            Faults.happen(() -> grid.kill(node));
          }
        });
  }
}
