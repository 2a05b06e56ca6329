package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Transfers between accounts whose grid ends before all have ended. The next runs end them, so no
 * money is lost or made.
 *
 * <p>A build ends the grid at some records, and makes five random programs. With {@code
 * -Dtroupe.long=true} the grid ends at each record, and 100 random programs are made, the first one
 * with {@code -Dtroupe.seed=17}.
 */
@Timeout(300)
class EndedBankTest {

  private static final boolean IS_LONG = Boolean.getBoolean("troupe.long");

  /** How many records are between two ends. */
  private static final int STRIDE = IS_LONG ? 1 : 13;

  private static final int PROGRAMS = Integer.getInteger("troupe.programs", IS_LONG ? 100 : 5);
  private static final int ACCOUNTS = 4;

  @TempDir private Path temporary;

  /** Has money, which is less than nothing if it has given more than it got. */
  public static class Account {
    private int sum;

    public int add(int money) {
      sum += money;
      return sum;
    }

    public void deposit(int money) {
      sum += money;
    }

    public int sum() {
      return sum;
    }

    public int give(Account other, int money) {
      sum -= money;
      other.add(money);
      return sum;
    }

    public int giveByAsk(Account other, int money) {
      sum -= money;
      var answer = ActiveObjects.ref(other).ask(each -> each.add(money));
      answer.join();
      return sum;
    }

    /** Gives money without learning whether it has arrived. */
    public int giveByForgottenAsk(Account other, int money) {
      sum -= money;
      var unused = ActiveObjects.ref(other).ask(each -> each.add(money));
      return sum;
    }

    public int giveOneWay(Account other, int money) {
      sum -= money;
      other.deposit(money);
      return sum;
    }

    /** Keeps the money if it believes that the other account did not get it. */
    public int giveOrKeep(Account other, int money) {
      try {
        other.add(money);
        sum -= money;
      } catch (RuntimeException refused) {
        return sum;
      }
      return sum;
    }

    /** Gives money by way of a third account. */
    public int giveThrough(Account third, Account other, int money) {
      sum -= money;
      third.addAndGive(other, money);
      return sum;
    }

    public int addAndGive(Account other, int money) {
      sum += money;
      return give(other, money);
    }
  }

  /** The accounts, in an order that calls follow which wait, so that none waits for itself. */
  private record Bank(List<Ref<Account>> accounts) {

    static Bank open(InProcessGrid grid, Store store, Duration idle) {
      var options =
          Options.STANDARD
              .withKeep(Keep.calls(store))
              .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
      var creation =
          ActiveObjects.on(grid.nodes()).with(idle == null ? options : options.withIdle(idle));
      List<Ref<Account>> accounts = new ArrayList<>();
      for (var i = 0; i < ACCOUNTS; i++) {
        accounts.add(ActiveObjects.ref(creation.named("account-" + i, Account.class)));
      }
      return new Bank(accounts);
    }

    private Account stub(int account) {
      return accounts.get(account).stub();
    }

    CompletableFuture<Integer> transfer(int kind, int first, int second, int money) {
      var from = accounts.get(Math.min(first, second));
      var to = stub(Math.max(first, second));
      return switch (kind) {
        case 0 -> from.ask(each -> each.give(to, money));
        case 1 -> from.ask(each -> each.giveByAsk(to, money));
        case 2 -> from.ask(each -> each.giveOrKeep(to, money));
        case 3 -> {
          var last = ACCOUNTS - 1;
          var end = stub(last);
          yield Math.max(first, second) == last
              ? from.ask(each -> each.give(to, money))
              : from.ask(each -> each.giveThrough(to, end, money));
        }
        case 4 -> {
          var any = stub(second);
          yield accounts.get(first).ask(each -> each.giveByForgottenAsk(any, money));
        }
        default -> {
          var any = stub(second);
          yield accounts.get(first).ask(each -> each.giveOneWay(any, money));
        }
      };
    }

    int total() {
      return accounts.stream().mapToInt(each -> valueOf(each.ask(Account::sum), "a sum")).sum();
    }

    void assertSound(String when) {
      Waits.until(() -> total() == 0, "the sum of all accounts to be zero, " + when);
      assertThat(total()).as("the sum of all accounts, " + when).isZero();
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
  }

  /** Waits until calls have ended, with an answer or a failure. */
  private static void awaitEnds(List<CompletableFuture<Integer>> calls, String when) {
    for (var each : calls) {
      try {
        each.get(60, TimeUnit.SECONDS);
      } catch (ExecutionException failure) {
        // The grid has ended before.
      } catch (InterruptedException | TimeoutException e) {
        throw new AssertionError("a call did not end, " + when, e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void noMoneyIsLostOrMadeIfTheGridEndsAtAnyRecord(int lost) {
    var passages = 1;
    for (var isOver = false; !isOver; passages += STRIDE) {
      isOver = !endsAt(passages, lost);
    }
    assertThat(passages).isGreaterThan(30);
  }

  private boolean endsAt(int passage, int lost) {
    var when = "after the end at record %d, with node %d first".formatted(passage, lost);
    var store = new KillingStore(temporary.resolve("s" + passage));
    try (var grid = InProcessGrid.start(2)) {
      var bank = Bank.open(grid, store, null);
      store.at(
          passage,
          () ->
              Faults.happen(
                  () -> {
                    grid.coordinator().endSupervision();
                    grid.kill(lost);
                  }));
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      for (var kind = 0; kind < 6; kind++) {
        calls.add(bank.transfer(kind, kind % 2, 2, 1 << kind));
        calls.add(bank.transfer(kind, 0, 1 + kind % 3, 100 << kind));
      }
      awaitEnds(calls, when);
      grid.kill(1 - lost);
    }
    try (var grid = InProcessGrid.resume(store, 2)) {
      Bank.open(grid, store, null).assertSound(when);
    }
    return store.hasPassed();
  }

  @Test
  @Timeout(1_800)
  void noMoneyIsLostOrMadeInSeveralRuns(LogRecords records) {
    records.allow(Level.WARNING, "");
    var first = Long.getLong("troupe.seed", IS_LONG ? System.nanoTime() : 3);
    for (var seed = first; seed < first + PROGRAMS; seed++) {
      runs(seed);
    }
  }

  private void runs(long seed) {
    var random = new Random(seed);
    var store = Store.directory(temporary.resolve("r" + seed));
    var runs = 2 + random.nextInt(3);
    for (var run = 0; run <= runs; run++) {
      var when = "with seed %d in run %d".formatted(seed, run);
      try (var grid = run == 0 ? InProcessGrid.start(3) : InProcessGrid.resume(store, 3)) {
        var idle = random.nextBoolean() ? Duration.ofMillis(1 + random.nextInt(20)) : null;
        var bank = Bank.open(grid, store, idle);
        if (run > 0) {
          bank.assertSound(when);
        }
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (var i = 20 + random.nextInt(40); i > 0 && run < runs; i--) {
          var from = random.nextInt(ACCOUNTS);
          var to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
          calls.add(bank.transfer(random.nextInt(6), from, to, 1 + random.nextInt(9)));
        }
        switch (random.nextInt(4)) {
          case 0 -> awaitEnds(calls, when);
          case 1 -> {
            grid.coordinator().endSupervision();
            grid.kill(random.nextInt(3));
          }
          case 2 -> {
            for (var i = 0; i < 3; i++) {
              grid.kill(i);
            }
          }
          default -> {} // the nodes leave one after the other
        }
      }
    }
  }
}
