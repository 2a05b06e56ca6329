package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Transfers between accounts whose objects fail, on two nodes. */
@Timeout(240)
class KeptBankTest {

  private static final int ACCOUNTS = 3;
  private static final long FIRST = 100;

  /** Has money. */
  static class Account {
    private long balance = FIRST;

    long deposit(long sum) {
      balance += sum;
      return balance;
    }

    long withdraw(long sum) {
      if (sum > balance) {
        throw new IllegalArgumentException(balance + " is less than " + sum);
      }
      balance -= sum;
      return balance;
    }

    long balance() {
      return balance;
    }
  }

  /** Moves money between accounts. */
  static class Teller {
    private int transfers;

    /** Returns the number of the transfer; or 0 if the account has too little. */
    int transfer(Account from, Account to, long sum) {
      try {
        from.withdraw(sum);
      } catch (IllegalArgumentException tooLittle) {
        return 0;
      }
      var arrived = ActiveObjects.ref(to).ask(account -> account.deposit(sum));
      transfers++;
      arrived.join();
      return transfers;
    }

    /** Gives a bonus, and fails. */
    int fail(Account account) {
      account.deposit(1);
      transfers = -1;
      throw new StackOverflowError("deep");
    }
  }

  @TempDir private Path temporary;

  /** The program: makes transfers, and reads the balances when all have ended. */
  private record Bank(Ref<Teller> teller, List<Ref<Account>> accounts) {

    static Bank open(LocalNodes grid, Options options) {
      var teller =
          ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Teller.class));
      List<Ref<Account>> accounts = new ArrayList<>();
      for (var i = 0; i < ACCOUNTS; i++) {
        accounts.add(
            ActiveObjects.ref(
                ActiveObjects.on(grid.get(i % 2)).with(options).create(Account.class)));
      }
      return new Bank(teller, accounts);
    }

    CompletableFuture<Integer> transfer(int from, int to, long sum) {
      var giver = accounts.get(from).stub();
      var taker = accounts.get(to).stub();
      return teller.ask(each -> each.transfer(giver, taker, sum));
    }

    List<Long> balances() {
      return accounts.stream().map(each -> each.stub().balance()).toList();
    }

    void close() {
      teller.terminateNow();
      accounts.forEach(Ref::terminateNow);
    }
  }

  private static Options kept(FaultyStore store) {
    return Options.STANDARD
        .withKeep(Keep.calls(store))
        .withRestart(Restart.here().times(1_000, Duration.ofMinutes(1)));
  }

  @Test
  void aFailureAtAnyRecordOfAnyObjectLeavesAllBalancesAsWithoutIt(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    failAtEachPassage(new FailingStore(temporary.resolve("s")));
  }

  @Test
  void theLossOfAllThatIsNotStableLeavesAllBalancesAsWithoutIt(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    failAtEachPassage(new FlushedStore(temporary.toString()));
    failAtEachPassage(FlushedStore.late(temporary + "-late"));
  }

  private static void failAtEachPassage(FaultyStore store) {
    var grid = InProcessGrid.start(2);
    try {
      var passages = 0;
      for (var isOver = false; !isOver; passages++) {
        var bank = Bank.open(grid, kept(store));
        store.failAfter(passages);
        var answers = new ArrayList<CompletableFuture<Integer>>();
        answers.add(bank.transfer(0, 1, 60));
        var bonus = bank.accounts().get(2).stub();
        var failing = bank.teller().ask(each -> each.fail(bonus));
        answers.add(bank.transfer(1, 2, 150));
        answers.add(bank.transfer(0, 2, 50));
        var failure = "a failure at passage " + passages;
        assertThat(failureOf(failing, failure)).as(failure).isInstanceOf(StackOverflowError.class);
        assertThat(answers).extracting(each -> valueOf(each, failure)).containsExactly(1, 2, 0);
        assertThat(bank.balances()).as(failure).containsExactly(40L, 10L, 251L);
        isOver = passages > 0 && !store.hasFailed();
        store.failAfter(0);
        bank.close();
      }
      assertThat(passages).isGreaterThan(15);
    } finally {
      grid.close();
    }
  }

  @Test
  void noMoneyIsLostOrMadeWhileLogsFailAtRandom(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    failAtRandom(new FailingStore(temporary.resolve("s")));
    failAtRandom(new FlushedStore(temporary.toString()));
    failAtRandom(FlushedStore.late(temporary + "-late"));
  }

  private static void failAtRandom(FaultyStore store) {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var grid = InProcessGrid.start(2);
    try {
      var bank = Bank.open(grid, kept(store));
      for (var round = 0; round < 10; round++) {
        store.failAfter(1 + random.nextInt(60));
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (var i = 0; i < 20; i++) {
          answers.add(
              bank.transfer(
                  random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), random.nextInt(100)));
        }
        if (round % 5 == 0) {
          bank.accounts().get(random.nextInt(ACCOUNTS)).checkpoint();
        }
        answers.forEach(each -> valueOf(each, "a transfer"));
        assertThat(bank.balances().stream().mapToLong(Long::longValue).sum())
            .as("the sum with seed %d in round %d", seed, round)
            .isEqualTo(ACCOUNTS * FIRST);
      }
      store.failAfter(0);
      bank.close();
    } finally {
      grid.close();
    }
  }
}
