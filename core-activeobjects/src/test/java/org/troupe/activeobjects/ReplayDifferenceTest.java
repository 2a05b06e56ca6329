package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.testing.LogRecords;

/** The error of a replay that differs names the line of the call that differs. */
@Timeout(120)
class ReplayDifferenceTest {

  private static final AtomicInteger line = new AtomicInteger();
  private static volatile boolean differs;

  @TempDir private Path folder;

  /** Is called. */
  static class Bank {
    private int balance;

    void note(int number) {
      balance -= number;
    }

    int deposit(int sum) {
      balance += sum;
      return balance;
    }
  }

  /** Makes another call in a replay. */
  static class Account {
    int deposit(Bank bank) {
      if (differs) {
        line.set(new Throwable().getStackTrace()[0].getLineNumber() + 1);
        bank.note(1);
      }
      return bank.deposit(2);
    }

    int drawRate() {
      if (differs) {
        line.set(new Throwable().getStackTrace()[0].getLineNumber() + 1);
        ActiveObjects.once(() -> 1);
      }
      return 0;
    }

    int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    records.allow(Level.WARNING, "does not replay");
    differs = false;
  }

  private Ref<Account> account() {
    var kept =
        Options.STANDARD.withKeep(Keep.calls(Store.directory(folder))).withRestart(Restart.here());
    return ActiveObjects.ref(ActiveObjects.here().with(kept).create(Account.class));
  }

  private static String whyReplayFails(Ref<Account> ref) {
    differs = true;
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    return valueOf(ref.end(), "the end").why();
  }

  @Test
  void namesTheLineOfAnotherCall() {
    var ref = account();
    var bank = ActiveObjects.here().create(Bank.class);
    valueOf(ref.ask(it -> it.deposit(bank)), "a deposit");
    assertThat(whyReplayFails(ref))
        .contains(
            "it called Bank.note(int) at ReplayDifferenceTest.java:%d as call 1, where it had called Bank.deposit(int) before"
                .formatted(line.get()));
  }

  @Test
  void namesTheLineOfAnEffectThatHadNotHappened() {
    var ref = account();
    valueOf(ref.ask(Account::drawRate), "a request");
    assertThat(whyReplayFails(ref))
        .contains(
            "it used ActiveObjects.once(..) at ReplayDifferenceTest.java:%d, as it had not before"
                .formatted(line.get()));
  }
}
