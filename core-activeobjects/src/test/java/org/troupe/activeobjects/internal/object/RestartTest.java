package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.RestartClock;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

@Timeout(60)
class RestartTest {

  private static volatile List<String> told; // of the objects of this test
  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;
  private static volatile int constructorsToFail;

  private final ManualRestartClock clock = new ManualRestartClock();
  private RestartClock clockBefore;

  /** Keeps numbers, and fails as it is told to. */
  static class Account implements LifeCycle {
    private final List<String> events = told; // an object may end after its test
    private final List<Integer> numbers;

    Account(List<Integer> first) {
      if (constructorsToFail > 0) {
        constructorsToFail--;
        throw new IllegalStateException("no disk");
      }
      first.add(0); // its argument is its own
      numbers = first;
    }

    @Override
    public void started() {
      events.add("started");
    }

    @Override
    public void ended() {
      events.add("ended");
    }

    List<Integer> numbers() {
      return new ArrayList<>(numbers);
    }

    int add(int number) {
      numbers.add(number);
      return numbers.size();
    }

    int sum() {
      return numbers.stream().mapToInt(each -> each).sum();
    }

    int pass() {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return 1;
    }

    int overflow() {
      numbers.clear();
      throw new StackOverflowError("deep");
    }

    void overflowOneWay() {
      overflow();
    }

    int reject() {
      throw new IllegalArgumentException("odd");
    }

    int read() throws IOException {
      throw new java.io.FileNotFoundException("gone");
    }

    int overflowOf(Account other) {
      return other.overflow();
    }

    @Immediate
    int size() {
      return numbers.size();
    }

    @Immediate
    int overflowAtOnce() {
      throw new OutOfMemoryError("at once");
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    clockBefore = NodeRuntime.main().objects().restartBy(clock);
    ActiveObjects.onFailure(failure -> {});
    told = new CopyOnWriteArrayList<>();
    constructorsToFail = 0;
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
  }

  @AfterEach
  void end() {
    gate.countDown();
    NodeRuntime.main().objects().restartBy(clockBefore);
    ActiveObjects.onFailure(null);
  }

  private static Ref<Account> account(Restart restart) {
    return ActiveObjects.ref(
        ActiveObjects.here()
            .with(Options.STANDARD.withRestart(restart))
            .create(Account.class, new ArrayList<>(List.of(7))));
  }

  @Test
  void aNewInstanceServesWhatWaitedAfterTheFailure() {
    var ref = account(Restart.here());
    var stub = ref.stub();
    ref.ask(a -> a.add(1)).join();
    var busy = ref.ask(Account::pass);
    Waits.await(arrived, "the object being busy");
    var failing = ref.ask(Account::overflow);
    var waiting = ref.ask(a -> a.add(5));
    gate.countDown();

    assertThat(valueOf(busy, "the request before")).isEqualTo(1);
    assertThat(failureOf(failing, "the failing request"))
        .isInstanceOf(StackOverflowError.class)
        .hasMessage("deep");
    assertThat(clock.endPause()).isBetween(80L, 120L);

    assertThat(valueOf(waiting, "the request behind it")).isEqualTo(3);
    assertThat(stub.numbers()).containsExactly(7, 0, 5);
    assertThat(ActiveObjects.ref(stub)).isEqualTo(ref);
    assertThat(ref.end().isDone()).isFalse();
    assertThat(told).containsExactly("started", "ended", "started");
  }

  @Test
  void aFailureOfACallThatItsCallerServesRestartsTheObject() {
    var ref = account(Restart.here().on(IOException.class));
    for (var i = 0; i < 2_000; i++) {
      ref.stub().sum();
    }
    assertThatThrownBy(ref.stub()::read).isInstanceOf(IOException.class);
    clock.endPause();
    assertThat(ref.stub().sum()).isEqualTo(7);
    assertThat(told).containsExactly("started", "ended", "started");
  }

  @Test
  void immediateMethodsAreServedDuringThePause() {
    var ref = account(Restart.here());
    ref.stub().overflowOneWay();
    var resume = clock.awaitPause();
    var waiting = ref.ask(Account::sum);

    assertThat(ref.stub().size()).isZero(); // of the failed instance

    assertThat(waiting.isDone()).isFalse();
    resume.run();
    assertThat(valueOf(waiting, "the waiting call")).isEqualTo(7);
    assertThat(ref.stub().size()).isEqualTo(2);
  }

  @Test
  void aFailureOfAnImmediateMethodRestartsTheObject() {
    var ref = account(Restart.here());
    ref.ask(a -> a.add(1)).join();
    assertThatThrownBy(ref.stub()::overflowAtOnce).isInstanceOf(OutOfMemoryError.class);
    clock.endPause();
    assertThat(valueOf(ref.ask(Account::numbers), "the numbers")).containsExactly(7, 0);
  }

  @Test
  void anObjectThatFailsTooOftenIsGivenUp(LogRecords records) throws Exception {
    var ref = account(Restart.here());
    for (var i = 0; i < 5; i++) {
      ref.stub().overflowOneWay();
      clock.endPause();
      valueOf(ref.ask(Account::sum), "a call after restart " + i);
    }
    var busy = ref.ask(Account::pass);
    Waits.await(arrived, "the object being busy");
    ref.stub().overflowOneWay();
    var waiting = ref.ask(Account::sum);
    gate.countDown();
    valueOf(busy, "the call before");

    var end = valueOf(ref.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why())
        .isEqualTo(
            "an Account on node 'main' has failed 6 times within PT1M: Account.overflowOneWay()"
                + " threw java.lang.StackOverflowError: deep x6");
    assertThat(failureOf(waiting, "the waiting call"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageStartingWith("Account.sum() was not served: ")
        .hasMessageContaining(end.why());
    records.expect(
        Level.WARNING,
        "an Account on node 'main' has failed and is restarted in ",
        " ms (5 of at most 5 restarts within PT1M): Account.overflowOneWay() threw ");
    records.expect(Level.WARNING, end.why() + "; it ends");
    assertThat(told.getLast()).isEqualTo("ended");
    assertThat(told.stream().filter("ended"::equals)).hasSize(6);
  }

  @Test
  void aConstructorThatFailsAgainCounts() {
    var ref = account(Restart.here().times(2, java.time.Duration.ofMinutes(1)));
    constructorsToFail = 1;
    ref.stub().overflowOneWay();
    clock.endPause();
    assertThat(clock.endPause()).isBetween(160L, 240L);
    assertThat(valueOf(ref.ask(Account::sum), "a call")).isEqualTo(7);
    assertThat(told).containsExactly("started", "ended", "started");

    ref.stub().overflowOneWay();

    assertThat(valueOf(ref.end(), "the end").why())
        .contains("3 times")
        .contains("its constructor threw java.lang.IllegalStateException: no disk");
  }

  @Test
  void withoutAPolicyAnErrorOfTheJvmEndsTheObject() {
    var ref = account(Restart.never());
    var busy = ref.ask(Account::pass);
    Waits.await(arrived, "the object being busy");
    var failing = ref.ask(Account::overflow);
    var waiting = ref.ask(Account::sum);
    gate.countDown();
    valueOf(busy, "the call before");

    assertThat(failureOf(failing, "the failing call")).isInstanceOf(StackOverflowError.class);
    var end = valueOf(ref.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why())
        .isEqualTo(
            "an Account on node 'main' has failed: Account.overflow() threw"
                + " java.lang.StackOverflowError: deep");
    assertThat(failureOf(waiting, "the waiting call"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining(end.why());
    assertThat(told).containsExactly("started", "ended");
  }

  @Test
  void otherExceptionsAreAnswersUnlessTheyAreNamed() {
    var ref = account(Restart.never());
    assertThat(failureOf(ref.ask(Account::reject), "a call")).hasMessage("odd");
    assertThat(failureOf(ref.ask(Account::read), "a call")).isInstanceOf(IOException.class);
    assertThat(valueOf(ref.ask(Account::sum), "a later call")).isEqualTo(7);

    var strict = account(Restart.never().on(IOException.class));
    assertThat(failureOf(strict.ask(Account::reject), "a call")).hasMessage("odd");
    assertThat(failureOf(strict.ask(Account::read), "a call")).isInstanceOf(IOException.class);
    assertThat(valueOf(strict.end(), "the end").why())
        .endsWith("has failed: Account.read() threw java.io.FileNotFoundException: gone");
    assertThat(clock.isPausing()).isFalse();
  }

  @Test
  void anErrorThatAnotherObjectAnsweredIsNotAFailure() {
    var ref = account(Restart.never());
    var other = account(Restart.never());

    assertThat(failureOf(ref.ask(a -> a.overflowOf(other.stub())), "a call"))
        .isInstanceOf(StackOverflowError.class);

    assertThat(valueOf(other.end(), "the end of the other").how()).isEqualTo(End.How.FAILED);
    assertThat(valueOf(ref.ask(Account::sum), "a later call")).isEqualTo(7);
  }

  @Test
  void aTerminationAtOnceEndsThePause() {
    var ref = account(Restart.here());
    ref.stub().overflowOneWay();
    var resume = clock.awaitPause();
    var waiting = ref.ask(Account::sum);

    var end = valueOf(ref.terminateNow(), "the end");

    assertThat(end.how()).isEqualTo(End.How.TERMINATED);
    assertThat(failureOf(waiting, "the waiting call"))
        .isInstanceOf(ObjectTerminatedException.class);
    resume.run(); // too late
    assertThat(told).containsExactly("started", "ended");
  }

  @Test
  void aTerminationInTurnWaitsForTheRestart() {
    var ref = account(Restart.here());
    ref.stub().overflowOneWay();
    var resume = clock.awaitPause();
    var before = ref.ask(Account::sum);
    var end = ref.terminate();
    assertThat(end.isDone()).isFalse();

    resume.run();

    assertThat(valueOf(before, "the call before")).isEqualTo(7);
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void aLinkEndsAnObjectDuringItsPauseAndARestartDoesNotSpread() {
    var ref = account(Restart.here());
    var linked = account(Restart.never());
    ref.linkTo(linked).join();
    ref.stub().overflowOneWay();
    clock.endPause();
    assertThat(valueOf(linked.ask(Account::sum), "a call of the other")).isEqualTo(7);

    ref.stub().overflowOneWay();
    clock.awaitPause();
    linked.stub().overflowOneWay();

    assertThat(valueOf(ref.end(), "the linked end").why()).contains("linked to has ended");
  }

  @Test
  void anObjectThatWasTurnedActiveIsRestartedFromItsCopy() {
    var original = new Account(new ArrayList<>(List.of(3)));
    var ref =
        ActiveObjects.ref(
            ActiveObjects.here()
                .with(Options.STANDARD.withRestart(Restart.here()))
                .turnActive(original));
    valueOf(ref.ask(a -> a.add(4)), "a call");
    ref.stub().overflowOneWay();
    clock.endPause();
    assertThat(valueOf(ref.ask(Account::numbers), "the numbers")).containsExactly(3, 0);
  }

  /** Serves in a loop of its own. */
  static class Loop implements Service {
    private int served;
    private boolean isBroken;

    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        if (queue.serveOldest(request -> true)) {
          served++;
        }
        if (isBroken) {
          throw new IllegalStateException("loop");
        }
      }
    }

    int served() {
      return served;
    }

    void breakDown() {
      isBroken = true;
    }

    int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  @Test
  void aServiceLoopIsEnteredAnew() {
    var ref =
        ActiveObjects.ref(
            ActiveObjects.here()
                .with(Options.STANDARD.withRestart(Restart.here()))
                .create(Loop.class));
    assertThat(valueOf(ref.ask(Loop::served), "a call")).isZero();
    assertThat(valueOf(ref.ask(Loop::served), "a call")).isEqualTo(1);

    ref.stub().breakDown();
    var waiting = ref.ask(Loop::served);
    clock.endPause();
    assertThat(valueOf(waiting, "the waiting call")).isZero();

    assertThat(failureOf(ref.ask(Loop::overflow), "the failing call"))
        .isInstanceOf(StackOverflowError.class);
    clock.endPause();
    assertThat(valueOf(ref.ask(Loop::served), "a call")).isZero();

    ref.stub().breakDown();
    clock.awaitPause();
    assertThat(valueOf(ref.terminateNow(), "the end").how()).isEqualTo(End.How.TERMINATED);
  }

  /** Serves some requests concurrently. */
  static class Parallel {
    private int count;

    @Concurrent("read")
    int pass() {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return count;
    }

    @Concurrent("read")
    int overflow() {
      throw new StackOverflowError("deep");
    }

    @Concurrent("read")
    int count() {
      return count;
    }

    void add() {
      count++;
    }
  }

  @Test
  void concurrentRequestsEndBeforeTheRestart() {
    var ref =
        ActiveObjects.ref(
            ActiveObjects.here()
                .with(Options.STANDARD.withParallelism(2).withRestart(Restart.here()))
                .create(Parallel.class));
    ref.stub().add();
    var running = ref.ask(Parallel::pass);
    Waits.await(arrived, "the running request");
    assertThat(failureOf(ref.ask(Parallel::overflow), "the failing call"))
        .isInstanceOf(StackOverflowError.class);
    var waiting = ref.ask(Parallel::count);
    assertThat(clock.isPausing()).isFalse();

    gate.countDown();
    assertThat(valueOf(running, "the running request")).isEqualTo(1);
    clock.endPause();

    assertThat(valueOf(waiting, "the waiting request")).isZero();
  }

  @Test
  void theNodeOfARemoteObjectRestartsIt() {
    try (var grid = InProcessGrid.start(1)) {
      grid.member(0).node().objects().restartBy(clock);
      var ref =
          ActiveObjects.ref(
              ActiveObjects.on(grid.get(0))
                  .with(Options.STANDARD.withRestart(Restart.here()))
                  .create(Account.class, new ArrayList<>(List.of(7))));
      assertThat(failureOf(ref.ask(Account::overflow), "the failing call"))
          .isInstanceOf(StackOverflowError.class);
      var waiting = ref.ask(Account::sum);
      clock.endPause();
      assertThat(valueOf(waiting, "the waiting call")).isEqualTo(7);
      assertThat(ref.stub().sum()).isEqualTo(7);
    }
  }

  @Test
  void policiesRefuseWhatCannotWork() {
    assertThatThrownBy(() -> Restart.here().times(0, java.time.Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("allows no restart");
    assertThatThrownBy(() -> Restart.here().times(1, java.time.Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a positive time");
  }
}
