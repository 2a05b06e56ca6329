package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.program.Clerk;
import org.troupe.program.Ledger;
import org.troupe.program.Quick;
import org.troupe.program.Saboteur;

/**
 * Objects move under load between processes, which are killed at steps of the moves that seeds
 * draw. A run tries three kills; {@code -Dtroupe.long=true} tries a hundred, {@code
 * -Dtroupe.seed=17} begins with another seed.
 */
@Timeout(120)
class KilledWhileMovingTest {

  private static final int ROUNDS = 3; // in one grid
  private static final int HOSTS = ROUNDS + 1;
  private static final int CALLS = 1_000;
  private static final long BOUND_SECONDS = 30;
  private static final long FIRST_SEED = Long.getLong("troupe.seed", 1);
  private static final long GRIDS =
      Boolean.getBoolean("troupe.long") ? Math.ceilDiv(100, ROUNDS) : 1;

  /** The names of the steps, whose class is not accessible here. */
  private static final List<String> STEPS =
      List.of(
          "ASKED",
          "FROZEN",
          "IMAGE_SENT",
          "IMAGE_READ",
          "READY",
          "GRANTED_AWAY",
          "GRANTED_HERE",
          "TAIL_END",
          "RELOCATED",
          "MARK",
          "SWITCHED",
          "ARRIVED");

  static LongStream seeds() {
    return LongStream.range(FIRST_SEED, FIRST_SEED + GRIDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyCallEndsAndIsServedOnceInOrder(long seed) throws Exception {
    var random = new Random(seed);
    try (var grid = Grid.local(HOSTS + 1, Quick.GRID.withSilence(Duration.ofSeconds(5)))) {
      var live = grid.nodes("default").await(Nodes.all(), Duration.ofSeconds(60));
      List<Node> hosts = new ArrayList<>(live.list());
      var safe = hosts.removeLast();
      var killed = 0;
      for (var round = 1; round <= ROUNDS; round++) {
        killed += isKilledInRound(random, hosts, safe) ? 1 : 0;
        hosts.removeIf(each -> !each.isAlive());
      }
      assertThat(killed).as("processes killed").isPositive();
    }
  }

  /** Lets an object move until its callers have ended; returns whether a process was killed. */
  private static boolean isKilledInRound(Random random, List<Node> hosts, Node safe)
      throws Exception {
    var victim = hosts.get(random.nextInt(hosts.size()));
    var step = STEPS.get(random.nextInt(STEPS.size()));
    var passage = 1 + random.nextInt(3);
    var what = "%s killed at passage %d of %s".formatted(victim, passage, step);
    var ledger = ActiveObjects.on(hosts.get(random.nextInt(hosts.size()))).create(Ledger.class);
    var clerk = ActiveObjects.on(safe).create(Clerk.class);
    var saboteur = ActiveObjects.ref(ActiveObjects.on(victim).create(Saboteur.class));
    saboteur.ask(it -> it.arm(step, passage)).get(BOUND_SECONDS, TimeUnit.SECONDS);

    var far = ActiveObjects.ref(clerk).ask(it -> it.fill(ledger, "far", CALLS));
    var near = new CompletableFuture<List<Integer>>();
    Thread.startVirtualThread(
        () -> {
          try {
            near.complete(Clerk.filled(ledger, "near", CALLS));
          } catch (Throwable failure) {
            near.completeExceptionally(failure);
          }
        });
    while (!far.isDone() || !near.isDone()) {
      var next = hosts.get(random.nextInt(hosts.size())).id();
      try {
        ActiveObjects.ref(ledger).move(next).get(BOUND_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException failure) {
        assertThat(failure.getCause())
            .as(what)
            .isInstanceOfAny(MoveException.class, NodeLostException.class);
      } catch (NodeLostException failure) {
        // the object is lost
      }
    }

    var answers =
        Map.of(
            "far", far.get(BOUND_SECONDS, TimeUnit.SECONDS),
            "near", near.get(BOUND_SECONDS, TimeUnit.SECONDS));
    for (var name : answers.keySet()) {
      var entries = entries(ledger, name, what);
      if (entries != null) { // else the object was lost
        assertThat(entries).as("in order, once, %s", what).isSorted().doesNotHaveDuplicates();
        assertThat(entries).as(what).containsAll(answers.get(name));
      }
    }
    try {
      saboteur.ask(Saboteur::disarm).get(BOUND_SECONDS, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException | NodeLostException e) {
      return true;
    }
  }

  /** Returns what the object has entered; {@code null} if it is lost. */
  private static List<Integer> entries(Ledger ledger, String name, String what) throws Exception {
    for (var attempts = 1; ; attempts++) {
      try {
        var asked = ActiveObjects.ref(ledger).ask(it -> it.entries(name));
        return asked.get(BOUND_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | CompletionException | NodeLostException e) {
        if (attempts == HOSTS) { // a call may be lost with each node that forwards it
          var end = ActiveObjects.ref(ledger).end().get(BOUND_SECONDS, TimeUnit.SECONDS);
          assertThat(end.how()).as(what).isEqualTo(End.How.LOST);
          return null;
        }
      }
    }
  }
}
