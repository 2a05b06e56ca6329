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
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Transfers between accounts while nodes are lost: every call is answered as without the loss, and
 * has its effect once.
 */
@Timeout(300)
class KeptBankElsewhereTest {

  private static final int ACCOUNTS = 3;
  private static final long FIRST = 100;

  private static final List<String> failures = new CopyOnWriteArrayList<>();
  private static final List<Long> printed = new CopyOnWriteArrayList<>();

  @TempDir private Path temporary;

  /** Prints sums, and is not kept. */
  public static class Printer {
    public long print(long sum) {
      printed.add(sum);
      return sum;
    }

    public void note(long sum) {
      printed.add(sum);
    }
  }

  /** Has money. */
  public static class Account {
    private long balance = FIRST;

    public long deposit(long sum) {
      balance += sum;
      return balance;
    }

    public void bonus(long sum) {
      balance += sum;
    }

    public long withdraw(long sum) {
      if (sum > balance) {
        throw new IllegalArgumentException(balance + " is less than " + sum);
      }
      balance -= sum;
      return balance;
    }

    public long balance() {
      return balance;
    }
  }

  /** Moves money between accounts. */
  public static class Teller {
    private int transfers;

    /** Returns the number of the transfer; or 0 if the account has too little. */
    public int transfer(Account from, Account to, long sum, Printer printer) {
      try {
        from.withdraw(sum);
      } catch (IllegalArgumentException tooLittle) {
        return 0;
      }
      var arrived = ActiveObjects.ref(to).ask(account -> account.deposit(sum));
      transfers++;
      printer.note(transfers);
      arrived.join();
      printer.print(-transfers);
      return transfers;
    }

    public void bonus(Account account, long sum) {
      account.bonus(sum);
    }
  }

  /** The program: makes transfers, and reads the balances when all have ended. */
  private record Bank(Ref<Teller> teller, List<Ref<Account>> accounts, Printer printer) {

    /** Opens a bank on the first two nodes. */
    static Bank open(InProcessGrid grid, KillingStore store) {
      var options =
          Options.STANDARD
              .withKeep(Keep.calls(store))
              .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
      var teller =
          ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Teller.class));
      List<Ref<Account>> accounts = new ArrayList<>();
      for (var i = 0; i < ACCOUNTS; i++) {
        accounts.add(
            ActiveObjects.ref(
                ActiveObjects.on(grid.get(i % 2)).with(options).create(Account.class)));
      }
      return new Bank(teller, accounts, ActiveObjects.on(grid.get(2)).create(Printer.class));
    }

    CompletableFuture<Integer> transfer(int from, int to, long sum) {
      var giver = accounts.get(from).stub();
      var taker = accounts.get(to).stub();
      return teller.ask(each -> each.transfer(giver, taker, sum, printer));
    }

    List<Long> balances() {
      return accounts.stream()
          .map(each -> valueOf(each.ask(Account::balance), "a balance"))
          .toList();
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    failures.clear();
    printed.clear();
    ActiveObjects.onFailure(
        failure -> {
          var why = String.valueOf(failure.cause().getMessage());
          if (!why.contains("this node has left the grid")
              && !why.contains("killed")) { // the rest of a lost node goes on
            failures.add(failure.call() + ": " + why);
          }
        });
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
  }

  /** Ends a node, as far as that is possible without the locks of the current thread. */
  private static void kill(InProcessGrid grid, int node) {
    Faults.happen(
        () -> {
          grid.kill(node);
          // What is left of the node must not wait for ever.
          grid.member(node).node().peers().all().forEach(each -> each.lose("killed"));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theLossOfANodeAtAnyRecordChangesNoAnswerAndNoBalance(int lost) {
    var passages = 1;
    for (var isOver = false; !isOver; passages++) {
      isOver = !losesNodeAt(passages, lost);
    }
    assertThat(passages).isGreaterThan(30);
  }

  private boolean losesNodeAt(int passage, int lost) {
    printed.clear();
    failures.clear();
    var store = new KillingStore(temporary.resolve("s" + passage));
    try (var grid = InProcessGrid.start(3)) {
      var bank = Bank.open(grid, store);
      store.at(passage, () -> kill(grid, lost));
      var answers = new ArrayList<CompletableFuture<Integer>>();
      answers.add(bank.transfer(0, 1, 60));
      bank.accounts().get(2).stub().bonus(7);
      var second = bank.accounts().get(1).stub();
      bank.teller().stub().bonus(second, 5);
      answers.add(bank.transfer(1, 2, 150));
      answers.add(bank.transfer(0, 2, 50));
      var loss = "the loss of node %d at passage %d".formatted(lost, passage);
      assertThat(answers).as(loss).extracting(each -> valueOf(each, loss)).containsExactly(1, 2, 0);
      assertThat(bank.balances()).as(loss).containsExactly(40L, 15L, 257L);
      assertThat(printed)
          .as("what a plain object has served after " + loss)
          .containsExactly(1L, -1L, 2L, -2L);
      assertThat(failures).as("failures after " + loss).isEmpty();
      return store.hasPassed();
    }
  }

  @Test
  void noMoneyIsLostOrMadeWhileNodesAreLostAtRandom() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var store = new KillingStore(temporary.resolve("s"));
    try (var grid = InProcessGrid.start(3)) {
      var bank = Bank.open(grid, store);
      var bonuses = 0L;
      var alive = new ArrayList<>(List.of(0, 1));
      for (var round = 0; round < 5; round++) {
        alive.add(grid.list().size());
        grid.join();
        var lost = alive.remove(random.nextInt(alive.size() - 1));
        store.at(1 + random.nextInt(100), () -> kill(grid, lost));
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (var i = 0; i < 20; i++) {
          answers.add(
              bank.transfer(
                  random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), random.nextInt(100)));
          bank.accounts().get(random.nextInt(ACCOUNTS)).stub().bonus(i);
          bonuses += i;
        }
        if (round % 2 == 0) {
          bank.accounts().get(random.nextInt(ACCOUNTS)).checkpoint();
        }
        answers.forEach(each -> valueOf(each, "a transfer with seed " + seed));
        assertThat(bank.balances().stream().mapToLong(Long::longValue).sum())
            .as("the sum with seed %d in round %d", seed, round)
            .isEqualTo(ACCOUNTS * FIRST + bonuses);
        Waits.until(store::hasPassed, "the loss of a node; seed " + seed);
      }
      assertThat(failures).as("failures with seed " + seed).isEmpty();
    }
  }
}
