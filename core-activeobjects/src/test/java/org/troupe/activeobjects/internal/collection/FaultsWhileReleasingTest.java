package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
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
      var hosts = hosts(grid);
      moveAndGive(grid, name, hosts.get(HOST));
      followOnce(grid, step, node, () -> {});

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

  @ParameterizedTest
  @MethodSource("faults")
  void anEndThatIsAskedForAtThatMomentIsReported(CopyStep step, int node) {
    var name = "end asked for at " + step + " on " + node;
    try (var grid = InProcessGrid.start(4)) {
      var hosts = hosts(grid);
      var keeper = ActiveObjects.ref(hosts.get(HOST));
      var end = moveAndGive(grid, name, hosts.get(HOST));
      List<CompletableFuture<Integer>> asked = new CopyOnWriteArrayList<>();
      followOnce(grid, step, node, () -> asked.add(keeper.ask(it -> it.awaitEnd(name))));

      settle(grid); // and release, as only the host has a reference
      CopyStep.follow(null);
      unlessLost(() -> hosts.get(HOST).terminate(name));

      var isAlive = grid.get(HOST).isAlive();
      if (isAlive && grid.get(BIRTH).isAlive()) {
        assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.TERMINATED);
      } else { // or terminated, if the loss of the birthplace was known before that
        assertThat(valueOf(end, "the end").how()).isIn(End.How.TERMINATED, End.How.LOST);
      }
      asked.forEach(each -> unlessLost(() -> valueOf(each, "the answer to the keeper's question")));
      if (isAlive) {
        asked.forEach(
            _ -> assertThat(hosts.get(HOST).howEnded(name)).isEqualTo(End.How.TERMINATED));
        hosts.get(HOST).drop(name);
      }
      assertThat(eventually(grid, () -> isForgotten(grid, isAlive)))
          .as("no node keeps a call to the object, nor an object that was terminated")
          .isTrue();
    }
  }

  /**
   * Returns whether no living node has an unanswered call to a moved object.
   *
   * @param knowsNone whether no node may know any, either
   */
  private static boolean isForgotten(InProcessGrid grid, boolean knowsNone) {
    return IntStream.range(0, 4)
        .filter(each -> grid.get(each).isAlive())
        .mapToObj(each -> grid.member(each).node().moved())
        .allMatch(each -> each.pending().isEmpty() && (!knowsNone || each.size() == 0));
  }

  private static List<TravellersHost> hosts(InProcessGrid grid) {
    List<TravellersHost> hosts = new ArrayList<>();
    for (var i = 0; i < 4; i++) {
      hosts.add(ActiveObjects.on(grid.get(i)).create(TravellersHost.class));
    }
    return hosts;
  }

  /** Returns the end of the object, which does not hold it. */
  private static CompletableFuture<End> moveAndGive(
      InProcessGrid grid, String name, TravellersHost keeper) {
    var traveller = ActiveObjects.on(grid.get(BIRTH)).create(Traveller.class, name);
    ActiveObjects.ref(traveller).move(grid.get(FORMER).id()).join();
    ActiveObjects.ref(traveller).move(grid.get(HOST).id()).join();
    keeper.keep(traveller);
    return ActiveObjects.ref(traveller).end();
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

  /** Ends a node at a step, after another action. */
  private static void followOnce(InProcessGrid grid, CopyStep step, int node, Runnable before) {
    var id = grid.get(node).id();
    var hasHappened = new AtomicBoolean();
    CopyStep.follow(
        (at, where) -> {
          if (at == step && where.equals(id) && hasHappened.compareAndSet(false, true)) {
            Faults.happen(
                () -> {
                  before.run();
                  grid.kill(node);
                });
          }
        });
  }
}
