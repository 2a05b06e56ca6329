package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.testing.LogRecords;

/** An object in the memory of two processes outlives each of them. */
@Timeout(300)
class CopiedObjectsOfJvmsTest {

  private static final int CALLS = 4_000;
  private static final int NODES = 4;
  private static final long BOUND_SECONDS = 120; // thousands of round trips, on a busy machine

  @Test
  void servesEveryCallOnceWhileItsProcessesAreKilledOneAfterTheOther(LogRecords records)
      throws Exception {
    records.allow(Level.WARNING, "restarted on another node");
    try (var grid = Grid.local(NODES, Quick.GRID.withSilence(Duration.ofSeconds(5)))) {
      var nodes = grid.nodes("default").await(Nodes.atLeast(NODES), Duration.ofSeconds(60)).list();
      var ledger =
          ActiveObjects.on(nodes.getFirst())
              .with(Options.STANDARD.withKeep(Keep.calls(Store.copies(2))))
              .create(Ledger.class);
      var ref = ActiveObjects.ref(ledger);
      var filled = new CompletableFuture<Integer>();
      var entered = new CompletableFuture<Void>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  new Ledger().fill(ledger, "first", CALLS / 4);
                  entered.complete(null);
                  filled.complete(new Ledger().fill(ledger, "main", CALLS));
                } catch (RuntimeException failure) {
                  filled.completeExceptionally(failure);
                }
              });
      entered.get(BOUND_SECONDS, TimeUnit.SECONDS);
      for (var kill = 0; kill < 2; kill++) {
        Processes.kill(nodeOf(ref, nodes));
        // An answer after a loss says that the next node has the object, and another one its copy.
        assertThat(answer(ledger, kill)).isEqualTo(kill);
      }

      assertThat(filled.get(BOUND_SECONDS, TimeUnit.SECONDS)).isEqualTo(CALLS);
      assertThat(ledger.entries("main")).isEqualTo(IntStream.range(0, CALLS).boxed().toList());
      assertThat(ledger.entries("first")).hasSize(CALLS / 4);
      assertThat(ledger.entries("test")).containsExactly(0, 1);
      assertThat(ref.end()).isNotDone();
    }
  }

  private static int answer(Ledger ledger, int number) throws Exception {
    return ActiveObjects.ref(ledger)
        .ask(it -> it.enterAndAnswer("test", number))
        .get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private static Node nodeOf(Ref<Ledger> ledger, Iterable<Node> nodes) {
    for (var each : nodes) {
      if (each.id().equals(ledger.node())) {
        return each;
      }
    }
    throw new AssertionError(ledger.node() + " is no node of the grid");
  }
}
