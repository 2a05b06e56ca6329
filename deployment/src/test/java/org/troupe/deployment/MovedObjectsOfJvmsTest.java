package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.testing.Polling;

/** Objects that move between processes, one of which is killed. */
@Timeout(120)
class MovedObjectsOfJvmsTest {

  private static final int CALLS = 2_000;
  private static final long BOUND_SECONDS = 30;

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void stayInReachAndInOrder(String transport) throws Exception {
    var options = Quick.GRID.withTransport(transport).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(3, options)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60)).list();
      var ledger = ActiveObjects.on(nodes.getFirst()).create(Ledger.class);

      moveUnderLoad(ledger, nodes);

      ledger.tour(nodes.stream().map(Node::id).toList());
      var names = nodes.stream().map(Node::name).toList();
      Polling.until("the tour has ended", () -> ledger.places().size() == names.size() + 1);
      assertThat(ledger.places().subList(1, names.size() + 1)).isEqualTo(names);

      ActiveObjects.ref(ledger).move(nodes.get(1).id()).get(BOUND_SECONDS, TimeUnit.SECONDS);
      assertThat(ledger.place()).isEqualTo(nodes.get(1).name());
      Processes.kill(nodes.getFirst());
      Polling.until("the loss is known", () -> !nodes.getFirst().isAlive());

      assertThat(ledger.place()).isEqualTo(nodes.get(1).name());
      var other = ActiveObjects.on(nodes.get(2)).create(Ledger.class);
      var filled = ActiveObjects.ref(other).ask(it -> it.fill(ledger, "late", 50));
      assertThat(filled.get(BOUND_SECONDS, TimeUnit.SECONDS)).isEqualTo(50);
      assertThat(ledger.entries("late")).isEqualTo(IntStream.range(0, 50).boxed().toList());
    }
  }

  private static void moveUnderLoad(Ledger ledger, List<Node> nodes) throws Exception {
    List<CompletableFuture<Integer>> filled = new ArrayList<>();
    for (var i = 0; i < nodes.size(); i++) {
      var sender = ActiveObjects.on(nodes.get(i)).create(Ledger.class);
      var name = "sender " + i;
      filled.add(ActiveObjects.ref(sender).ask(it -> it.fill(ledger, name, CALLS)));
    }
    var moves = 0;
    while (moves < 6 || !filled.stream().allMatch(CompletableFuture::isDone)) {
      var next = nodes.get(++moves % nodes.size());
      ActiveObjects.ref(ledger).move(next.id()).get(BOUND_SECONDS, TimeUnit.SECONDS);
      ledger.enter("main", moves);
    }
    for (var i = 0; i < nodes.size(); i++) {
      assertThat(filled.get(i).get()).isEqualTo(CALLS);
      assertThat(ledger.entries("sender " + i))
          .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
    }
    assertThat(ledger.entries("main")).isEqualTo(IntStream.rangeClosed(1, moves).boxed().toList());
  }
}
