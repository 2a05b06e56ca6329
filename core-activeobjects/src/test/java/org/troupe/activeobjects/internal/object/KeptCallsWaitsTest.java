package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OwnFailures;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;
import org.troupe.testing.LogRecords;

/** Waits of objects whose requests are logged, which do not end as the object expects. */
@Timeout(120)
class KeptCallsWaitsTest {

  private static final List<Integer> served = new CopyOnWriteArrayList<>();
  private static final AtomicInteger encodings = new AtomicInteger();
  private static volatile CountDownLatch gate = new CountDownLatch(1);
  private static volatile boolean differs;

  private final List<Ref<?>> created = new ArrayList<>();
  private final OwnFailures failures = OwnFailures.of(KeptCallsWaitsTest.class);
  @TempDir private Path temporary;
  private FailingStore store;

  /** Is asked by the kept object. */
  static class Bank {
    private @Nullable Keeper keeper;

    void open(Keeper its) {
      keeper = its;
    }

    String greet() {
      return keeper.greetBack();
    }

    String name() {
      return "a bank";
    }

    int deposit(int sum) {
      served.add(sum);
      return sum;
    }

    void note(int sum) {
      served.add(sum);
    }

    int waitForGate() {
      Waits.await(gate, "the gate");
      return 0;
    }

    int fail(String why) {
      throw new IllegalStateException(why);
    }

    Brittle brittle() {
      return new Brittle();
    }
  }

  /** Can be encoded once. */
  static class Brittle implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) throws java.io.IOException {
      if (encodings.incrementAndGet() > 1) {
        throw new LinkageError("a class is gone");
      }
      out.defaultWriteObject();
    }
  }

  /** Is kept by its calls. */
  static class Keeper {
    private final Bank bank;

    Keeper(Bank bank) {
      this.bank = bank;
    }

    String greetBack() {
      try {
        return ActiveObjects.ref(bank).ask(Bank::name).join();
      } catch (CompletionException cycle) {
        return cycle.getCause().getClass().getSimpleName();
      }
    }

    int unlike() {
      if (differs) {
        bank.note(1);
      }
      return bank.deposit(2);
    }

    int askAndCancel(int sum) {
      var later = ActiveObjects.ref(bank).ask(each -> each.deposit(sum));
      later.cancel(true);
      return sum;
    }

    String brittle() {
      try {
        return String.valueOf(ActiveObjects.ref(bank).ask(Bank::brittle).join());
      } catch (CompletionException failure) {
        return failure.getCause().getMessage();
      }
    }

    int use(CompletableFuture<Integer> number) {
      return number.join();
    }

    int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    records.allow(Level.WARNING, "does not replay");
    served.clear();
    encodings.set(0);
    differs = false;
    gate = new CountDownLatch(1);
    store = new FailingStore(temporary.resolve("s"));
    ActiveObjects.onFailure(failures);
  }

  @AfterEach
  void end() {
    gate.countDown();
    store.failAfter(0);
    created.forEach(each -> valueOf(each.terminateNow(), "the end of an object"));
    created.clear();
    awaitReports();
    ActiveObjects.onFailure(null);
    assertThat(failures.all()).as("failures that no caller has seen").isEmpty();
    Waits.until(() -> StoreFiles.areDeleted(temporary.resolve("s")), "the end of the last write");
  }

  /** Waits until the failures of all results that nothing refers to any more have been reported. */
  private void awaitReports() {
    for (var round : List.of("the first round", "the second round")) { // of the collector
      fails(round);
      Waits.until(
          () -> {
            System.gc();
            return failures.all().removeIf(each -> each.contains(round));
          },
          "the report of a failure");
    }
  }

  private static void fails(String why) {
    var bank = ActiveObjects.ref(ActiveObjects.here().create(Bank.class));
    bank.ask(each -> each.fail(why)); // its failure is not looked at
    valueOf(bank.ask(Bank::name), "the calls");
    valueOf(bank.terminate(), "the end of an object");
  }

  private Ref<Bank> bank() {
    var bank = ActiveObjects.ref(ActiveObjects.here().create(Bank.class));
    created.add(bank);
    return bank;
  }

  private Ref<Keeper> keeper(Ref<Bank> bank) {
    var options = Options.STANDARD.withKeep(Keep.calls(store)).withRestart(Restart.here());
    var keeper =
        ActiveObjects.ref(ActiveObjects.here().with(options).create(Keeper.class, bank.stub()));
    created.add(keeper);
    return keeper;
  }

  private static void failAndRestart(Ref<Keeper> keeper) {
    assertThat(failureOf(keeper.ask(Keeper::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
  }

  @Test
  void aCycleThatAJoinFindsIsFoundAgain() {
    var bank = bank();
    var keeper = keeper(bank);
    valueOf(bank.tell(each -> each.open(keeper.stub())), "the reference");

    assertThat(cycleFoundByTheKeptOne(bank)).isEqualTo("WaitCycleException");
    failAndRestart(keeper);

    assertThat(valueOf(keeper.ask(Keeper::greetBack), "a greeting")).isEqualTo("a bank");
  }

  /** Lets both wait for each other until the one that is kept is the second to wait. */
  private static String cycleFoundByTheKeptOne(Ref<Bank> bank) {
    for (; ; ) {
      try {
        return valueOf(bank.ask(Bank::greet), "a greeting");
      } catch (CompletionException found) {
        assertThat(found).hasCauseInstanceOf(WaitCycleException.class);
      }
    }
  }

  @Test
  void aRequestThatMakesAnotherCallAfterAFailureOfTheLogEndsTheObject() {
    var keeper = keeper(bank());
    store.failAfter(2); // the answer of the deposit
    var unlike = keeper.ask(Keeper::unlike);
    Waits.until(() -> store.hasFailed(), "the failure of the log");
    differs = true;

    assertThat(failureOf(unlike, "a request")).isInstanceOf(ObjectTerminatedException.class);
    var end = valueOf(keeper.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why())
        .contains("it called Bank.note(int) as call 1, where it had called Bank.deposit(int)");
    assertThat(served).containsExactly(2);
  }

  @Test
  void aCancelledCallIsNotServed() {
    var bank = bank();
    var keeper = keeper(bank);
    var waiting = bank.ask(Bank::waitForGate);

    assertThat((int) valueOf(keeper.ask(each -> each.askAndCancel(9)), "a request")).isEqualTo(9);
    gate.countDown();
    valueOf(waiting, "the gate");
    valueOf(bank.ask(Bank::name), "all requests");

    assertThat(served).isEmpty();
    failAndRestart(keeper);
    assertThat((int) valueOf(keeper.ask(each -> each.askAndCancel(8)), "a request")).isEqualTo(8);
  }

  @Test
  void anAnswerThatCannotBeLoggedForAnErrorIsAFailure() {
    var keeper = keeper(bank());

    assertThat(valueOf(keeper.ask(Keeper::brittle), "a request"))
        .contains("the value cannot be logged")
        .contains("a class is gone");
  }

  @Test
  void anArgumentThatNeverArrivesDoesNotOutliveTheObject() {
    var keeper = keeper(bank());
    var never = new CompletableFuture<Integer>();
    var waiting = keeper.ask(each -> each.use(never));
    var later = keeper.ask(Keeper::greetBack);
    var body = ((Reference.Target.Here) Reference.require(keeper.stub()).target()).body();
    Waits.until(() -> body.waitingFor != null, "the wait for the argument");

    assertThat(valueOf(keeper.terminateNow(), "the end").how()).isEqualTo(End.How.TERMINATED);

    assertThat(failureOf(waiting, "a request")).isInstanceOf(ObjectTerminatedException.class);
    assertThat(failureOf(later, "a request")).isInstanceOf(ObjectTerminatedException.class);
  }
}
