package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.SaveStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Save points of logged objects, and later runs that go on from them. */
@Timeout(300)
class SavePointsTest {

  private static final int ACCOUNTS = 3;
  private static final int TELLERS = 2;
  private static final long FIRST = 1_000;

  @TempDir private Path folder;
  private InProcessGrid grid;

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

  /** Moves money between accounts, and pays a bonus to itself for each. */
  public static class Teller {
    private int transfers;

    public int transfer(Account from, Account to, long sum) {
      from.withdraw(sum);
      var arrived = ActiveObjects.ref(to).ask(account -> account.deposit(sum));
      from.withdraw(1);
      to.bonus(1); // one-way
      arrived.join();
      return ++transfers;
    }

    public int transfers() {
      return transfers;
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    SaveStep.follow(null);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store store() {
    return Store.directory(folder.resolve("store"));
  }

  private Options logged() {
    return Options.STANDARD
        .withKeep(Keep.calls(store()))
        .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
  }

  private Ref<Account> account(int number) {
    return ActiveObjects.ref(
        ActiveObjects.on(grid.nodes()).with(logged()).named("account-" + number, Account.class));
  }

  private Ref<Teller> teller(int number) {
    return ActiveObjects.ref(
        ActiveObjects.on(grid.nodes()).with(logged()).named("teller-" + number, Teller.class));
  }

  private List<Ref<Account>> accounts() {
    return IntStream.range(0, ACCOUNTS).mapToObj(this::account).toList();
  }

  private static long balance(Ref<Account> account) {
    return valueOf(account.ask(Account::balance), "a balance");
  }

  private static void done(CompletableFuture<Void> future, String what) {
    valueOf(future.thenApply(nothing -> true), what);
  }

  private void save(String name) {
    done(grid.coordinator().save(name), "the save point " + name);
  }

  private void resume(String savePoint) {
    grid.close();
    grid = InProcessGrid.resume(store(), savePoint, 2);
  }

  @Test
  void aLaterRunGoesOnFromASavePointAsOftenAsItWants() {
    var account = account(0);
    valueOf(account.ask(it -> it.deposit(5)), "a deposit");
    save("first");
    valueOf(account.ask(it -> it.deposit(7)), "a deposit");
    valueOf(account.checkpoint().thenApply(done -> true), "an image beyond the save point");
    save("second");
    valueOf(account.ask(it -> it.deposit(11)), "a deposit");

    resume("second");
    assertThat(balance(account(0))).isEqualTo(FIRST + 12);
    valueOf(account(0).ask(it -> it.deposit(100)), "a deposit");
    resume("first");
    assertThat(balance(account(0))).isEqualTo(FIRST + 5);
    resume("second");
    assertThat(balance(account(0))).isEqualTo(FIRST + 12);
    valueOf(account(0).ask(it -> it.deposit(1)), "a deposit");
    grid.close();
    grid = InProcessGrid.resume(store(), 2);
    assertThat(balance(account(0))).as("without a save point").isEqualTo(FIRST + 13);
  }

  @Test
  void anObjectThatIsNewerThanTheSavePointIsGoneAndATerminatedOneIsThere() {
    var older = account(0);
    valueOf(older.ask(it -> it.deposit(5)), "a deposit");
    save("before");
    valueOf(account(1).ask(it -> it.deposit(5)), "a deposit");
    valueOf(older.terminate(), "the end");

    resume("before");
    assertThat(balance(account(0))).isEqualTo(FIRST + 5);
    assertThat(balance(account(1))).as("made anew").isEqualTo(FIRST);
  }

  @Test
  void aSavePointThatIsDeletedLeavesNothing() throws IOException {
    balance(account(0));
    save("s");
    assertThat(journals()).anyMatch(each -> each.startsWith("save."));
    assertThat(failureOf(grid.coordinator().save("s"), "a second save point of the name"))
        .hasMessageContaining("there is a save point 's' already; delete it");
    done(grid.coordinator().deleteSave("s"), "the deletion");
    assertThat(journals()).noneMatch(each -> each.startsWith("save."));
    save("s");
    grid.close();
    assertThatThrownBy(() -> InProcessGrid.resume(store(), "t", 1))
        .hasStackTraceContaining("has no save point 't'; it has [s]");
    grid = InProcessGrid.resume(store(), 1);
    done(grid.coordinator().deleteSave("s"), "the deletion in a later run");
    assertThat(journals()).noneMatch(each -> each.startsWith("save."));
  }

  private List<String> journals() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("store").resolve("journals"))) {
      return all.map(each -> each.getFileName().toString()).toList();
    }
  }

  @Test
  void objectsInCopiesAndBadNamesAreRefused() {
    assertThat(failureOf(grid.coordinator().save("nothing"), "a save point of nothing"))
        .hasMessageContaining("no object of this grid has a log");
    ActiveObjects.on(grid.get(0))
        .with(Options.STANDARD.withKeep(Keep.calls(Store.copies(2))))
        .create(Account.class);
    assertThat(failureOf(grid.coordinator().save("s"), "a save point"))
        .hasMessageContaining("Store.copies(2), which ends with its grid");
    assertThatThrownBy(() -> grid.coordinator().save("a.b")).hasMessageContaining("'a.b'");
  }

  @Test
  void aSavePointInASlowStoreTakesAsLongAsTheStore() {
    var account = account(0);
    valueOf(account.ask(it -> it.deposit(5)), "a deposit");
    var clock = new ManualRestartClock();
    var before = NodeRuntime.main().objects().restartBy(clock);
    var copying = new CountDownLatch(1);
    var stored = new CountDownLatch(1);
    try {
      SaveStep.follow(
          (step, node) -> {
            if (step == SaveStep.JOURNAL_COPIED) {
              copying.countDown();
              Waits.await(stored, "the store");
            }
          });
      var saved = grid.coordinator().save("slow");
      Waits.await(copying, "a copy");
      while (clock.isPausing()) { // a limit for an answer
        clock.endPause();
      }
      assertThat(saved).isNotDone();
      stored.countDown();
      done(saved, "the save point");
    } finally {
      stored.countDown();
      NodeRuntime.main().objects().restartBy(before);
    }
    resume("slow");
    assertThat(balance(account(0))).isEqualTo(FIRST + 5);
  }

  @Test
  void sumsAreExactAtSavePointsAtRandomMoments() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var saves = 4;
    var driver = drive(seed);
    SaveStep.follow(
        (at, node) -> {
          if (at == SaveStep.SAVE_MARKED) {
            driver.letRunBetweenMarks();
          }
        });
    for (var i = 0; i < saves; i++) {
      var next = driver.count() + random.nextInt(20);
      Waits.until(() -> driver.count() >= next, "more transfers; seed " + seed);
      save("s" + i);
      if (i % 2 == 0) {
        account(random.nextInt(ACCOUNTS)).checkpoint();
      }
    }
    var transfers = driver.end();
    assertThat(transfers).as("transfers").isPositive();
    for (var i = saves - 1; i >= 0; i--) {
      requireExactSum("s" + i, "seed " + seed);
    }
  }

  /** Checks the sum after all that was under way has ended. */
  private void requireExactSum(String savePoint, String what) {
    resume(savePoint);
    for (var i = 0; i < TELLERS; i++) { // behind the transfers that were under way
      valueOf(teller(i).ask(Teller::transfers), "the transfers of a teller; " + what);
    }
    var accounts = accounts();
    Waits.until(
        () -> accounts.stream().mapToLong(SavePointsTest::balance).sum() == ACCOUNTS * FIRST,
        "an exact sum at '%s'; %s; there is %s"
            .formatted(savePoint, what, accounts.stream().map(SavePointsTest::balance).toList()));
  }

  /** Lets tellers make transfers until it is told to end. */
  private Driver drive(long seed) {
    var accounts = accounts();
    var isOver = new AtomicBoolean();
    var count = new AtomicInteger();
    List<CompletableFuture<Boolean>> ends = new ArrayList<>();
    for (var i = 0; i < TELLERS; i++) {
      var teller = teller(i);
      var random = new Random(seed + i);
      ends.add(
          Waits.onVirtualThread(
              () -> {
                while (!isOver.get()) {
                  var from = accounts.get(random.nextInt(ACCOUNTS)).stub();
                  var to = accounts.get(random.nextInt(ACCOUNTS)).stub();
                  valueOf(
                      teller.ask(it -> it.transfer(from, to, random.nextInt(10))), "a transfer");
                  count.incrementAndGet();
                }
                return true;
              }));
    }
    return new Driver(isOver, count, ends);
  }

  /** Makes transfers. */
  private record Driver(
      AtomicBoolean isOver, AtomicInteger made, List<CompletableFuture<Boolean>> ends) {

    int count() {
      return made.get();
    }

    /** Gives transfers the time to pass between two marks, which they must not. */
    void letRunBetweenMarks() {
      var before = count();
      var ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
      while (count() < before + 10 && System.nanoTime() < ends) {
        LockSupport.parkNanos(100_000);
      }
    }

    /** Ends the transfers; returns how many there were. */
    int end() {
      isOver.set(true);
      ends.forEach(each -> valueOf(each, "the end of a driver"));
      return count();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OUTPUT_RELEASED")
  void theLossOfANodeAtAnyStepLeavesOneCut(SaveStep step) {
    var driver = drive(step.ordinal());
    var victim = grid.get(1).id();
    var hasPassed = new AtomicBoolean();
    SaveStep.follow(
        (at, node) -> {
          if (at == step
              && (node.equals(victim) || step == SaveStep.SAVE_LISTED)
              && hasPassed.compareAndSet(false, true)) {
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            var ending =
                Thread.startVirtualThread(
                    () -> {
                      grid.kill(index);
                      // What is left of the node must not wait for ever.
                      grid.member(index).node().peers().all().forEach(it -> it.lose("killed"));
                    });
            try {
              ending.join(1_000); // it may need a lock of this thread
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    save("s");
    assertThat(hasPassed).as("the step " + step).isTrue();
    SaveStep.follow(null);
    driver.end();
    requireExactSum("s", "a node was lost at " + step);
  }
}
