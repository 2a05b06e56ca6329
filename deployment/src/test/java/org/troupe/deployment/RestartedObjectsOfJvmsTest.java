package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
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
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.testing.LogRecords;

/**
 * Objects that are made anew on another process, when theirs is killed. With {@code
 * -Dtroupe.long=true} there are fifty times as many calls.
 */
@Timeout(120)
class RestartedObjectsOfJvmsTest {

  /** Of each sender before the loss, and after it. */
  private static final int CALLS = Boolean.getBoolean("troupe.long") ? 5_000 : 100;

  /** On a busy machine each call waits some milliseconds for a processor. */
  private static final long BOUND_SECONDS = 60;

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void areFoundByTheirCallers(String transport, LogRecords records) throws Exception {
    records.allow(Level.WARNING, "restarted on another node");
    var options = Quick.GRID.withTransport(transport).withSilence(Duration.ofSeconds(5));
    try (var grid = Grid.local(3, options)) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60)).list();
      var ledger =
          ActiveObjects.on(nodes.getFirst())
              .with(Options.STANDARD.withRestart(Restart.elsewhere()))
              .create(Ledger.class);
      var ref = ActiveObjects.ref(ledger);
      var place = ledger.place();
      assertThat(place).isEqualTo(nodes.getFirst().name());
      List<CompletableFuture<Integer>> filled = new ArrayList<>();
      for (var i = 1; i < nodes.size(); i++) {
        var sender = ActiveObjects.on(nodes.get(i)).create(Ledger.class);
        var name = "sender " + i;
        filled.add(
            ActiveObjects.ref(sender).ask(it -> it.fillDespiteLoss(ledger, name, place, CALLS)));
      }
      ledger.entered("sender 1", CALLS).get(BOUND_SECONDS, TimeUnit.SECONDS);

      Processes.kill(nodes.getFirst());
      for (var each : filled) {
        var unanswered = each.get(BOUND_SECONDS, TimeUnit.SECONDS);
        assertThat(unanswered).as("calls under way at the loss").isBetween(0, 1);
      }

      assertThat(ledger.place()).isIn(nodes.subList(1, 3).stream().map(Node::name).toList());
      assertThat(ref.end().isDone()).isFalse();
      var other = ActiveObjects.on(nodes.get(2)).create(Ledger.class);
      var late = ActiveObjects.ref(other).ask(it -> it.fill(ledger, "late", 50));
      assertThat(late.get(BOUND_SECONDS, TimeUnit.SECONDS)).isEqualTo(50);
      assertThat(ledger.entries("late")).isEqualTo(IntStream.range(0, 50).boxed().toList());
      for (var i = 1; i < nodes.size(); i++) {
        assertThat(ledger.entries("sender " + i))
            .hasSizeGreaterThanOrEqualTo(CALLS)
            .isSorted()
            .doesNotHaveDuplicates();
      }
      assertThat(ref.terminate().get(BOUND_SECONDS, TimeUnit.SECONDS).how())
          .isEqualTo(End.How.TERMINATED);
    }
  }
}
