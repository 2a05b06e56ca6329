package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.fault.BuddyStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Transfers between accounts in copies, while at each step of copying the buddy or the node of
 * objects is lost: every call is answered as without the loss, and has its effect once.
 */
@Timeout(300)
class CopiedBankTest {

  private static final int ACCOUNTS = 2;
  private static final long FIRST = 100;

  /** An earlier test's failure that nobody has asked for may be noticed during this test. */
  private static final List<String> OWN = List.of("Printer.", "Account.", "Teller.");

  private static final List<String> failures = new CopyOnWriteArrayList<>();
  private static final List<Long> printed = new CopyOnWriteArrayList<>();

  /** The node that is lost at a step. */
  enum Lost {
    /** The node that has the step: the buddy, or the new owner. */
    THE_NODE_ITSELF,
    /** The first node, with the teller and an account. */
    FIRST,
    /** The second node, with an account. */
    SECOND
  }

  /** Prints sums, and is not kept. */
  public static class Printer {
    public long print(long sum) {
      printed.add(sum);
      return sum;
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

    public int transfer(Account from, Account to, long sum, Printer printer) {
      from.withdraw(sum);
      var arrived = ActiveObjects.ref(to).ask(account -> account.deposit(sum));
      transfers++;
      arrived.join();
      printer.print(transfers);
      return transfers;
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    ActiveObjects.onFailure(
        failure -> {
          var why = String.valueOf(failure.cause().getMessage());
          if (OWN.stream().anyMatch(failure.call()::startsWith)
              && !why.contains("this node has left the grid")
              && !why.contains("killed")) { // the rest of a lost node goes on
            failures.add(failure.call() + ": " + why);
          }
        });
  }

  @AfterEach
  void end() {
    BuddyStep.follow(null);
    ActiveObjects.onFailure(null);
  }

  private static void kill(InProcessGrid grid, int node) {
    var ending =
        Thread.startVirtualThread(
            () -> {
              grid.kill(node);
              // What is left of the node must not wait for ever.
              grid.member(node).node().peers().all().forEach(each -> each.lose("killed"));
            });
    try {
      ending.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLossOfANodeAtAnyStepChangesNoAnswerAndNoBalance(Lost lost) {
    // A usual build takes every eighth passage; -Dtroupe.long=true takes all of them.
    var stride = Boolean.getBoolean("troupe.long") ? 1 : 8;
    var passages = 1 + 3 * lost.ordinal() % stride;
    var runs = 0;
    for (var isOver = false; !isOver; passages += stride, runs++) {
      isOver = !losesNodeAt(passages, lost);
    }
    assertThat(passages).as("passages").isGreaterThan(20);
    assertThat(runs).isGreaterThan(20 / stride);
  }

  private static boolean losesNodeAt(int chosen, Lost lost) {
    printed.clear();
    failures.clear();
    var passages = new AtomicInteger();
    try (var grid = InProcessGrid.start(3)) {
      var options =
          Options.STANDARD
              .withKeep(Keep.calls(Store.copies(2)))
              .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
      var teller =
          ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Teller.class));
      List<Ref<Account>> accounts = new ArrayList<>();
      for (var i = 0; i < ACCOUNTS; i++) {
        accounts.add(
            ActiveObjects.ref(ActiveObjects.on(grid.get(i)).with(options).create(Account.class)));
      }
      var printer = ActiveObjects.here().create(Printer.class); // not on a node that is lost
      BuddyStep.follow(
          (step, node) -> {
            if (passages.incrementAndGet() == chosen) {
              var ids = grid.list().stream().map(each -> each.id()).toList();
              kill(grid, lost == Lost.THE_NODE_ITSELF ? ids.indexOf(node) : lost.ordinal() - 1);
            }
          });
      var first = accounts.get(0).stub();
      var second = accounts.get(1).stub();
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      answers.add(teller.ask(each -> each.transfer(first, second, 60, printer)));
      second.bonus(5);
      answers.add(teller.ask(each -> each.transfer(second, first, 150, printer)));
      var checkpoint = accounts.get(1).checkpoint();
      answers.add(teller.ask(each -> each.transfer(first, second, 10, printer)));
      var loss = "the loss of %s at passage %d".formatted(lost, chosen);
      assertThat(answers).as(loss).extracting(each -> valueOf(each, loss)).containsExactly(1, 2, 3);
      checkpoint.handle((done, failure) -> true).join();
      assertThat(accounts)
          .as(loss)
          .extracting(each -> valueOf(each.ask(Account::balance), loss))
          .containsExactly(180L, 25L);
      assertThat(printed)
          .as("what a plain object has served after " + loss)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, 3).mapToObj(each -> (long) each).toList());
      assertThat(failures).as("failures after " + loss).isEmpty();
      return passages.get() >= chosen;
    } finally {
      BuddyStep.follow(null);
    }
  }
}
