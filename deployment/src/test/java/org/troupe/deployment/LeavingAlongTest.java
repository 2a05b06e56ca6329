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
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.testing.Polling;

/** Objects leave a process that is released, or asked to end as by a batch system. */
@Timeout(120)
class LeavingAlongTest {

  private static final int OBJECTS = 50;
  private static final int CALLS = 3_000;
  private static final long BOUND_SECONDS = 60;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theirCallersLoseNothing(boolean isReleased) throws Exception {
    try (var grid = Grid.local(3, Quick.GRID.withSilence(Duration.ofSeconds(5)))) {
      var live = grid.nodes("default").await(Nodes.atLeast(3), Duration.ofSeconds(60));
      var leaver = live.get(1);
      List<Ledger> ledgers = new ArrayList<>();
      List<CompletableFuture<Integer>> filled = new ArrayList<>();
      for (var i = 0; i < OBJECTS; i++) {
        var ledger =
            ActiveObjects.on(leaver).with(Options.STANDARD.leavingAlong()).create(Ledger.class);
        var sender = ActiveObjects.on(live.get(0)).create(Ledger.class);
        ledgers.add(ledger);
        if (i % 10 == 0) {
          filled.add(ActiveObjects.ref(sender).ask(it -> it.fill(ledger, "sender", CALLS)));
        } else {
          ledger.enter("main", i);
        }
      }

      if (isReleased) {
        live.release(leaver).get(BOUND_SECONDS, TimeUnit.SECONDS);
      } else {
        Processes.signal("TERM", Processes.pid(leaver));
        Polling.until("the node has left", () -> !leaver.isAlive());
      }

      for (var i = 0; i < OBJECTS; i++) {
        var ledger = ledgers.get(i);
        if (i % 10 == 0) {
          assertThat(filled.get(i / 10).get(BOUND_SECONDS, TimeUnit.SECONDS)).isEqualTo(CALLS);
          Polling.until( // the last ones are one-way
              "all calls are served", () -> ledger.entries("sender").size() >= CALLS);
          assertThat(ledger.entries("sender"))
              .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
        } else {
          assertThat(ledger.entries("main")).containsExactly(i);
        }
        assertThat(ledger.place()).isNotEqualTo(leaver.name());
      }
    }
  }
}
