package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.RestartClock;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/**
 * Transfers between accounts whose calls are logged, while a node is lost, and a second one at a
 * step of the restarts that follow: every transfer is made once. What is left of a lost node goes
 * on in this JVM, as it does on a host that has lost its network.
 *
 * <p>A build loses some nodes of two grids; {@code -Dtroupe.soak=10m} goes on for that time.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class SecondLossesTest {

  private static final Duration LENGTH =
      Duration.parse("PT" + System.getProperty("troupe.soak", "0s"));
  private static final int LEAST_GRIDS = 2;
  private static final int ROUNDS = 6; // of a grid
  private static final int NODES = 4;
  private static final int ACCOUNTS = 40;
  private static final int TRANSFERS = 120; // of a round
  private static final int MOST_WAITING = 32;
  private static final long FIRST = 1_000;
  private static final int SPEED = 50; // of the clock, so that images are made in a short run

  private static final RestartStep[] STEPS = {
    RestartStep.DEATH_TOLD,
    RestartStep.DEATH_ACKNOWLEDGED,
    RestartStep.PLACE_ASKED,
    RestartStep.GRANTED,
    RestartStep.STORE_READ,
    RestartStep.MAKING,
    RestartStep.REPLAYED,
    RestartStep.REVIVED,
    RestartStep.LOCATED,
  };

  @TempDir private Path folder;
  private ScheduledExecutorService timer;
  private final RestartClock clock = new FastClock();
  private RestartClock clockBefore;

  /** Has money. */
  public static class Account {
    private long balance = FIRST;
    private int given;
    private int taken;

    public int give(Account to, long sum) {
      withdraw(sum);
      to.take(sum);
      return given;
    }

    public int giveAndWait(Account to, long sum) {
      withdraw(sum);
      return to.confirm(sum, given);
    }

    public CompletableFuture<Integer> giveOnward(Account to, long sum) {
      withdraw(sum);
      var number = given;
      return ActiveObjects.ref(to).ask(each -> each.confirm(sum, number));
    }

    private void withdraw(long sum) {
      balance -= sum;
      given++;
    }

    public void take(long sum) {
      balance += sum;
      taken++;
    }

    public int confirm(long sum, int number) {
      take(sum);
      return number;
    }

    public State state() {
      return new State(balance, given, taken);
    }
  }

  /** What an account has at a time. */
  public record State(long balance, int given, int taken) {
    State less(long sum) {
      return new State(balance - sum, given + 1, taken);
    }

    State more(long sum) {
      return new State(balance + sum, given, taken + 1);
    }
  }

  private record Transfer(String what, int number, CompletableFuture<Integer> answer) {}

  /** A clock that is faster than that of the system. */
  private final class FastClock implements RestartClock {
    @Override
    public long nanoTime() {
      return System.nanoTime() * SPEED;
    }

    @Override
    public void schedule(Runnable action, long pauseNanos) {
      timer.schedule(action, pauseNanos / SPEED, TimeUnit.NANOSECONDS);
    }
  }

  /** The accounts of a grid, and what they should have. */
  private final class Bank {
    private final InProcessGrid grid;
    private final Random random;
    private final List<Ref<Account>> accounts = new ArrayList<>();
    private final List<State> expected = new ArrayList<>();
    private final List<Integer> living = new ArrayList<>();

    Bank(InProcessGrid grid, Store store, Random random) {
      this.grid = grid;
      this.random = random;
      for (var node = 0; node < NODES; node++) {
        grid.member(node).node().objects().restartBy(clock);
        living.add(node);
      }
      var options =
          Options.STANDARD
              .withKeep(Keep.calls(store).every(Duration.ofSeconds(20)))
              .withRestart(Restart.elsewhere().times(1_000_000, Duration.ofSeconds(1)));
      for (var i = 0; i < ACCOUNTS; i++) {
        var node = ActiveObjects.on(grid.get(i % NODES));
        accounts.add(ActiveObjects.ref(node.with(options).create(Account.class)));
        expected.add(new State(FIRST, 0, 0));
      }
    }

    void join() {
      living.add(grid.list().size());
      grid.join();
      grid.member(living.getLast()).node().objects().restartBy(clock);
    }

    /** Makes transfers, and loses two nodes meanwhile; returns what was lost, and where. */
    String losesTwo() {
      var second = living.remove(random.nextInt(living.size()));
      var first = living.remove(random.nextInt(living.size()));
      var step = STEPS[random.nextInt(STEPS.length)];
      var passage = 1 + random.nextInt(5);
      var node = grid.get(second).id();
      var passages = new AtomicInteger();
      var isLost = new AtomicBoolean();
      RestartStep.follow(
          (at, where) -> {
            if (at == step
                && where.equals(node)
                && passages.incrementAndGet() == passage
                && isLost.compareAndSet(false, true)) {
              Faults.happen(() -> kill(second));
            }
          });
      if (random.nextInt(4) == 0) { // a node that comes while objects are restarted
        join();
      }
      var what =
          "the loss of %s, and of %s at passage %d of %s"
              .formatted(grid.get(first).id(), node, passage, step);
      makeTransfers(random.nextInt(TRANSFERS), () -> kill(first), what);
      RestartStep.follow(null);
      if (!isLost.get()) {
        living.add(second);
      }
      while (living.size() < NODES) {
        join();
      }
      return what;
    }

    private void kill(int node) {
      grid.kill(node);
      // What is left of the node must not wait for ever.
      grid.member(node).node().peers().all().forEach(each -> each.lose("killed"));
    }

    private void makeTransfers(int fault, Runnable action, String what) {
      Queue<Transfer> waiting = new ArrayDeque<>();
      for (var i = 0; i < TRANSFERS; i++) {
        if (i == fault) {
          action.run();
        }
        var from = random.nextInt(ACCOUNTS);
        var to = random.nextInt(ACCOUNTS);
        if (from != to) {
          waiting.add(transfer(from, to, random.nextInt(100), what));
        }
        if (waiting.size() == MOST_WAITING) {
          check(waiting.remove());
        }
      }
      waiting.forEach(this::check);
    }

    private Transfer transfer(int from, int to, long sum, String when) {
      var giver = accounts.get(from);
      var taker = accounts.get(to).stub();
      expected.set(from, expected.get(from).less(sum));
      expected.set(to, expected.get(to).more(sum));
      var kind = random.nextInt(3);
      CompletableFuture<Integer> answer;
      if (kind == 0) {
        answer = giver.ask(each -> each.giveOnward(taker, sum)).thenCompose(each -> each);
      } else if (kind == 1 && from < to) { // else two accounts may wait for each other
        answer = giver.ask(each -> each.giveAndWait(taker, sum));
      } else {
        answer = giver.ask(each -> each.give(taker, sum));
      }
      var number = expected.get(from).given();
      var what = "transfer %d of account %d to account %d; %s".formatted(number, from, to, when);
      return new Transfer(what, number, answer);
    }

    private void check(Transfer transfer) {
      assertThat(valueOf(transfer.answer(), transfer.what()))
          .as(transfer.what())
          .isEqualTo(transfer.number());
    }

    /** Compares the accounts with what they should have when all one-way calls have arrived. */
    void check(String what) {
      for (var i = 0; i < ACCOUNTS; i++) {
        var account = accounts.get(i);
        var due = expected.get(i);
        Waits.until(
            () -> valueOf(account.ask(Account::state), what).taken() >= due.taken(),
            "all that account %d is to take after %s".formatted(i, what));
        assertThat(valueOf(account.ask(Account::state), what))
            .as("account %d after %s", i, what)
            .isEqualTo(due);
      }
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, ""); // of nodes that are lost, and of what is left of them
    records.allow(Level.ERROR, "");
    ActiveObjects.onFailure(failure -> {}); // the same
    timer =
        new ScheduledThreadPoolExecutor(
            2, Thread.ofPlatform().daemon().factory(), new ThreadPoolExecutor.DiscardPolicy());
    // The coordinator is this JVM's own node, which later tests use too.
    clockBefore = NodeRuntime.main().objects().restartBy(clock);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    ActiveObjects.onFailure(null);
    NodeRuntime.main().objects().restartBy(clockBefore);
    timer.shutdownNow();
  }

  @Test
  void noTransferIsLostOrMadeTwice() {
    var end = System.nanoTime() + LENGTH.toNanos();
    for (var grids = 0; grids < LEAST_GRIDS || System.nanoTime() - end < 0; grids++) {
      var seed = System.nanoTime();
      try (var grid = InProcessGrid.start(NODES)) {
        var bank = new Bank(grid, Store.directory(folder.resolve("s" + seed)), new Random(seed));
        for (var round = 0; round < ROUNDS; round++) {
          var losses = bank.losesTwo();
          bank.check("%s; seed %d, round %d".formatted(losses, seed, round));
        }
      } finally {
        RestartStep.follow(null);
      }
    }
  }
}
