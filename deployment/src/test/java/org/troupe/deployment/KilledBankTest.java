package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.program.Saboteur;
import org.troupe.testing.LogRecords;

/**
 * Transfers between accounts whose calls are logged, while processes are killed: no transfer is
 * lost or made twice, and every reply is right.
 *
 * <p>{@code -Dtroupe.soak=30m} makes transfers between 1,000 accounts for that time, with a kill
 * every ten seconds. {@code -Dtroupe.long=true} kills a process at each of 100 steps that a seed
 * draws, and {@code -Dtroupe.seed=17} draws others. A build does a little of both.
 */
class KilledBankTest {

  private static final String SOAK = System.getProperty("troupe.soak", "");
  private static final boolean IS_SHORT = SOAK.isEmpty();
  private static final Duration LENGTH = Duration.parse("PT" + (IS_SHORT ? "4s" : SOAK));
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(IS_SHORT ? 2 : 10);
  private static final int ACCOUNTS = IS_SHORT ? 40 : 1_000;
  private static final int ROUNDS = Boolean.getBoolean("troupe.long") ? 100 : 2;
  private static final int TRANSFERS = 400; // of a round
  private static final long BOUND_SECONDS = 60;

  /** The names of the steps of a restart, whose class is not accessible here. */
  private static final List<String> STEPS =
      List.of(
          "DEATH_TOLD",
          "DEATH_ACKNOWLEDGED",
          "PLACE_ASKED",
          "GRANTED",
          "STORE_READ",
          "MAKING",
          "REPLAYED",
          "REVIVED",
          "LOCATED");

  @TempDir private Path folder;

  @BeforeEach
  void allow(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "have occupied the"); // on a machine with other work
  }

  private static long seed() {
    var seed = Long.getLong("troupe.seed");
    return seed == null ? System.nanoTime() : seed;
  }

  @Test
  void noTransferIsLostWhileProcessesAreKilled() throws Exception {
    var seed = seed();
    var random = new Random(seed);
    try (var bank = new BankOfJvms(4)) {
      var load = new TransferLoad(bank.openAccounts(ACCOUNTS, folder.resolve("store")));
      var end = System.nanoTime() + LENGTH.toNanos();
      var kills = 0;
      var transfers = load.start(random, () -> System.nanoTime() < end);
      try {
        while (isRunning(transfers, end)) {
          var victim = bank.any(random);
          Processes.kill(victim);
          kills++;
          bank.replace(List.of(victim));
        }
        transfers.get(2 * BOUND_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException failure) {
        throw bank.explained(
            "after %d kills, with seed %d".formatted(kills, seed), failure.getCause());
      }
      load.check("after %d kills, with seed %d".formatted(kills, seed));
      assertThat(kills).isPositive();
    }
  }

  /** Lets the time between two kills pass; returns whether there is to be another one. */
  private static boolean isRunning(CompletableFuture<Void> transfers, long end)
      throws InterruptedException, ExecutionException {
    try {
      transfers.get(BETWEEN_KILLS.toNanos(), TimeUnit.NANOSECONDS);
      return false;
    } catch (TimeoutException e) {
      return System.nanoTime() < end;
    }
  }

  @Test
  void noTransferIsLostWhateverTheStepAtWhichAProcessIsKilled() throws Exception {
    var seed = seed();
    var random = new Random(seed);
    try (var bank = new BankOfJvms(4)) {
      var load = new TransferLoad(bank.openAccounts(40, folder.resolve("store")));
      var killed = 0;
      for (var round = 1; round <= ROUNDS; round++) {
        var asked = load.count();
        var victim = bank.any(random);
        var saboteur = ActiveObjects.ref(ActiveObjects.on(victim).create(Saboteur.class));
        var passage = 1 + random.nextInt(300);
        var step = "record " + passage;
        var isAtRestart = random.nextInt(3) == 0;
        var transfersLeft = new AtomicInteger(TRANSFERS);
        if (isAtRestart) {
          var name = STEPS.get(random.nextInt(STEPS.size()));
          var time = 1 + random.nextInt(5);
          step = "passage " + time + " of " + name;
          saboteur.ask(it -> it.armRestart(name, time)).get(BOUND_SECONDS, TimeUnit.SECONDS);
        } else {
          saboteur.ask(it -> it.armStore(passage)).get(BOUND_SECONDS, TimeUnit.SECONDS);
        }
        var what = "round %d with seed %d: %s killed at %s".formatted(round, seed, victim, step);
        var transfers = load.start(random, () -> transfersLeft.getAndDecrement() > 0);
        List<Node> lost = new ArrayList<>();
        if (isAtRestart) {
          var other = bank.living().stream().filter(each -> !each.equals(victim)).findAny();
          lost.add(other.orElseThrow());
          Processes.kill(lost.getFirst());
        }
        try {
          transfers.get(2 * BOUND_SECONDS, TimeUnit.SECONDS);
          assertThat(load.count()).as(what).isGreaterThan(asked);
          load.check("after " + what);
        } catch (ExecutionException failure) {
          throw bank.explained(what, failure.getCause());
        }
        if (isLost(saboteur)) {
          lost.add(victim);
        }
        killed += lost.size();
        bank.replace(lost);
      }
      assertThat(killed).as("processes killed, with seed %d", seed).isPositive();
    }
  }

  /** Returns whether the process was killed; else lets it live. */
  private static boolean isLost(Ref<Saboteur> saboteur) throws Exception {
    try {
      saboteur.ask(Saboteur::disarm).get(BOUND_SECONDS, TimeUnit.SECONDS);
      saboteur.terminate().get(BOUND_SECONDS, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException | NodeLostException e) {
      return true;
    }
  }
}
