package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.FailureHandler;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.RestartClock;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Objects whose requests are logged in a store. */
@Timeout(120)
class KeptCallsTest {

  private static final AtomicInteger effects = new AtomicInteger();
  private static final List<Integer> served = new CopyOnWriteArrayList<>();
  private static final AtomicInteger starts = new AtomicInteger();
  private static volatile CountDownLatch gate = new CountDownLatch(1);
  private static volatile boolean differs;

  private final ManualRestartClock clock = new ManualRestartClock();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<Ref<?>> created = new ArrayList<>();
  private final List<Ref<Bank>> banks = new ArrayList<>();
  private RestartClock clockBefore;
  @TempDir private Path temporary;
  private FailingStore store;

  /** Is asked by others, and counts the requests. */
  static class Bank {
    private int balance;

    int deposit(int sum) {
      served.add(sum);
      return balance += sum;
    }

    void note(int number) {
      served.add(number);
    }

    CompletableFuture<Integer> depositLater(int sum) {
      Waits.await(gate, "the gate");
      return CompletableFuture.completedFuture(deposit(sum));
    }

    List<Integer> statement() {
      return new ArrayList<>(List.of(balance));
    }

    byte[] file() {
      return new byte[100_000];
    }

    int refuse(int sum) {
      served.add(-sum);
      throw new IllegalStateException("no " + sum);
    }
  }

  /** Is kept by its calls. */
  static class Account implements LifeCycle {
    private final List<Object> entries = new ArrayList<>();
    private @Nullable Bank bank;
    private transient boolean isHere = true;
    private @Nullable CompletableFuture<Integer> later;

    @Override
    public void started() {
      starts.incrementAndGet();
      entries.add("started");
    }

    @Override
    public void arrived() {
      isHere = true;
    }

    List<Object> entries() {
      return new ArrayList<>(entries);
    }

    boolean isHere() {
      return isHere;
    }

    void add(int number) {
      entries.add(number);
    }

    void addSum(byte[] bytes) {
      entries.add(IntStream.range(0, bytes.length).map(i -> bytes[i]++).sum());
    }

    void compare(byte[] left, byte[] right) {
      entries.add(left == right);
    }

    void open(Bank its) {
      bank = its;
    }

    int deposit(int sum) {
      var balance = bank.deposit(sum);
      entries.add(balance);
      return balance;
    }

    int note(int number) {
      bank.note(number);
      entries.add(number);
      return number;
    }

    void begin(int sum) {
      later = bank.depositLater(sum);
      entries.add("begun");
    }

    int finish() {
      var balance = later.join();
      entries.add(balance);
      return balance;
    }

    CompletableFuture<Integer> promise() {
      return later;
    }

    int tryDeposit(int sum) {
      try {
        return bank.refuse(sum);
      } catch (IllegalStateException refused) {
        entries.add(refused.getMessage());
        return -1;
      }
    }

    int once(int sum) {
      var value = ActiveObjects.once(() -> effects.addAndGet(sum));
      entries.add(value);
      return value;
    }

    String onceInVain() {
      try {
        ActiveObjects.once(
            () -> {
              effects.incrementAndGet();
              throw new IllegalArgumentException("in vain");
            });
        return "";
      } catch (IllegalArgumentException e) {
        entries.add(e.getMessage());
        return e.getMessage();
      }
    }

    int unlike() {
      if (differs) {
        bank.note(1);
      }
      return bank.deposit(2);
    }

    int unlikeTarget(Bank other) {
      if (differs) {
        other.note(1);
      }
      return bank.deposit(2);
    }

    int unlikeEffect() {
      if (differs) {
        ActiveObjects.once(effects::incrementAndGet);
      }
      return 0;
    }

    String callerOf() {
      var caller = ActiveObjects.caller();
      entries.add(caller == null ? "nobody" : caller.type().getSimpleName());
      return "";
    }

    void create() {
      bank = ActiveObjects.once(() -> ActiveObjects.here().create(Bank.class));
    }

    void createTwice() {
      bank = ActiveObjects.here().create(Bank.class);
    }

    void stage() {
      bank.depositLater(1).thenAccept(entries::add);
    }

    int overflow() {
      bank.note(99);
      entries.clear();
      throw new StackOverflowError("deep");
    }

    int onceChanged() {
      var list = ActiveObjects.once(() -> new ArrayList<>(List.of("once")));
      list.add("more");
      ActiveObjects.once(() -> 0);
      entries.addAll(list);
      return list.size();
    }

    int answerChanged() {
      var list = bank.statement();
      list.add(7);
      bank.note(7);
      entries.addAll(list);
      return list.size();
    }

    String onceError() {
      try {
        ActiveObjects.once(
            () -> {
              effects.incrementAndGet();
              throw new AssertionError("wrong");
            });
      } catch (AssertionError e) {
        entries.add(e.getMessage());
      }
      return "";
    }

    int read() {
      return bank.file().length;
    }

    Object echo(Object value) {
      return value;
    }

    int fail(String why) {
      entries.add(why);
      throw new IllegalStateException(why);
    }
  }

  /** Calls another, which may call back. */
  static class Friend {
    private @Nullable Friend other;

    void meet(Friend friend) {
      other = friend;
    }

    String greet() {
      return other.greetBack();
    }

    String greetBack() {
      try {
        return other.name();
      } catch (WaitCycleException cycle) {
        return "a cycle";
      }
    }

    String name() {
      return "a friend";
    }

    int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  /** Has a method that bypasses the queue. */
  static class Shown {
    private int number;

    int add(int more) {
      return number += more;
    }

    int waitForGate() {
      Waits.await(gate, "the gate");
      return number;
    }

    @Immediate
    int failAtOnce() {
      throw new StackOverflowError("deep");
    }

    @Immediate
    int shown() {
      return number;
    }

    int overflow() {
      throw new StackOverflowError("deep");
    }
  }

  /** Calls accounts. */
  static class Client {
    void call(Account account) {
      account.callerOf();
    }
  }

  /** Has its own loop. */
  @Resumable
  static class Looping implements Service {
    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest(request -> true);
      }
    }
  }

  /** Serves several requests at once. */
  static class Parallel {
    @Concurrent("reading")
    int read() {
      return 1;
    }
  }

  /** Has a loop that must not be left. */
  static class Endless implements Service {
    @Override
    public void serve(RequestQueue requests) {}
  }

  /** Handles failures. */
  static class Handling implements FailureHandler {
    @Override
    public void failed(FailureHandler.CallFailure failure) {}
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    records.allow(Level.WARNING, "does not replay");
    clockBefore = NodeRuntime.main().objects().restartBy(clock);
    ActiveObjects.onFailure(
        failure -> failures.add(failure.call() + ": " + failure.cause().getMessage()));
    effects.set(0);
    starts.set(0);
    served.clear();
    differs = false;
    gate = new CountDownLatch(1);
    store = new FailingStore(temporary.resolve("s"));
  }

  @AfterEach
  void end() {
    store.stableWith(CompletableFuture.completedFuture(null));
    gate.countDown();
    store.failAfter(0);
    created.forEach(each -> valueOf(each.terminateNow(), "the end of an object"));
    Waits.until(() -> StoreFiles.areDeleted(temporary.resolve("s")), "the end of the last write");
    NodeRuntime.main().objects().restartBy(clockBefore);
    ActiveObjects.onFailure(null);
  }

  private Options kept() {
    return Options.STANDARD.withKeep(Keep.calls(store)).withRestart(Restart.here());
  }

  private Ref<Account> account() {
    return account(kept());
  }

  private Ref<Account> account(Options options) {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(options).create(Account.class));
    created.add(ref);
    ref.stub().open(bank().stub());
    return ref;
  }

  private Ref<Bank> bank() {
    var bank = ActiveObjects.ref(ActiveObjects.here().create(Bank.class));
    created.add(bank);
    banks.add(bank);
    return bank;
  }

  /** Ends the pause before a restart, of two kinds of pauses that the clock has. */
  private void restart() {
    while (clock.endPause() >= 1_000) {
      // a minute without an image is over
    }
  }

  private void failAndRestart(Ref<Account> ref) {
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    restart();
  }

  private static int answer(CompletableFuture<Integer> result, String what) {
    return valueOf(result, what);
  }

  /** Returns what the banks have served of the calls that were sent. */
  private List<Integer> served() {
    banks.forEach(each -> valueOf(each.ask(Bank::statement), "a statement"));
    return served;
  }

  private List<Object> entries(Ref<Account> ref) {
    return valueOf(ref.ask(Account::entries), "the entries");
  }

  @Test
  void aRestartContinuesBehindTheLastRequestThatWasServed() {
    var ref = account();
    ref.stub().add(1);
    assertThat(failureOf(ref.ask(a -> a.fail("answer")), "an exception"))
        .isInstanceOf(IllegalStateException.class);
    valueOf(ref.checkpoint(), "a checkpoint");
    ref.stub().add(2);
    var failing = ref.ask(Account::overflow);
    ref.stub().add(3);
    var waiting = ref.ask(Account::entries);
    assertThat(failureOf(failing, "an overflow")).isInstanceOf(StackOverflowError.class);
    restart();
    assertThat(valueOf(waiting, "the entries")).containsExactly("started", 1, "answer", 2, 3);
    assertThat(valueOf(ref.ask(Account::isHere), "a field")).isTrue();
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 1, "answer", 2, 3);
    assertThat(served()).containsExactly(99, 99);
  }

  @Test
  void arraysOfBytesAreServedAgainAsTheyWereSent() {
    var ref = account();
    var bytes = new byte[] {1, 2, 3};
    ref.stub().addSum(bytes);
    ref.stub().compare(bytes, bytes);
    ref.stub().compare(bytes, bytes.clone());
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 6, true, false);
  }

  @Test
  void aRestartFromTheBirthServesTheStartAgain() {
    var ref = account();
    ref.stub().add(1);
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 1);
    assertThat(starts).hasValue(2);
  }

  @Test
  void callsOfTheObjectAreServedOnceAndHaveTheSameAnswers() {
    var ref = account();
    assertThat(answer(ref.ask(a -> a.deposit(5)), "a deposit")).isEqualTo(5);
    assertThat(answer(ref.ask(a -> a.note(7)), "a note")).isEqualTo(7);
    assertThat(answer(ref.ask(a -> a.tryDeposit(8)), "a refusal")).isEqualTo(-1);
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 5, 7, "no 8");
    assertThat(answer(ref.ask(a -> a.deposit(1)), "a deposit")).isEqualTo(6);
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 5, 7, "no 8", 6);
    assertThat(served()).containsExactly(5, 7, -8, 99, 1, 99);
  }

  @Test
  void anAnswerThatArrivesAfterARestartBelongsToTheCallMadeBefore() {
    var ref = account();
    valueOf(ref.tell(a -> a.begin(5)), "the begin of a call");
    failAndRestart(ref);
    var promised = ref.ask(Account::promise);
    gate.countDown();
    assertThat(answer(ref.ask(Account::finish), "a deposit")).isEqualTo(5);
    assertThat(valueOf(promised, "the promise").join()).isEqualTo(5);
    failAndRestart(ref);
    assertThat(answer(ref.ask(Account::finish), "a deposit")).isEqualTo(5);
    assertThat(entries(ref)).containsExactly("started", "begun", 5, 5);
    assertThat(served()).containsExactly(5, 99, 99);
  }

  @Test
  void anAnswerThatArrivesDuringTheRestartIsNotLost() {
    var ref = account();
    valueOf(ref.tell(a -> a.begin(5)), "the begin of a call");
    var early = ref.ask(Account::promise); // delegated to the instance that fails
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    gate.countDown();
    Waits.until(() -> served.contains(5), "the service of the deposit");
    restart();
    assertThat(answer(ref.ask(Account::finish), "a deposit")).isEqualTo(5);
    assertThat(valueOf(early, "the promise").join()).isEqualTo(5);
    assertThat(served()).containsExactlyInAnyOrder(99, 5);
  }

  @Test
  void anEffectHappensOnce() {
    var ref = account();
    assertThat(answer(ref.ask(a -> a.once(5)), "an effect")).isEqualTo(5);
    assertThat(valueOf(ref.ask(Account::onceInVain), "an effect")).isEqualTo("in vain");
    valueOf(ref.tell(Account::create), "a creation");
    valueOf(ref.ask(a -> a.deposit(3)), "a deposit");
    failAndRestart(ref);
    assertThat(answer(ref.ask(a -> a.deposit(4)), "a deposit in the same bank")).isEqualTo(7);
    assertThat(entries(ref)).containsExactly("started", 5, "in vain", 3, 7);
    assertThat(effects).hasValue(6);
    assertThat(ActiveObjects.once(() -> "outside")).isEqualTo("outside");
  }

  @Test
  void effectsThatWouldHappenAgainAreRefused() {
    var ref = account();
    assertThat(failureOf(ref.tell(Account::createTwice), "a creation"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is kept by its calls, and the creation of an object would happen")
        .hasMessageEndingWith("create it within ActiveObjects.once(..)");
    assertThat(failureOf(ref.tell(Account::stage), "a stage"))
        .hasMessageContaining("wait for the future in the request");
  }

  @Test
  void aReplayThatDiffersEndsTheObjectAndNamesTheCalls(LogRecords records) {
    var ref = account();
    valueOf(ref.ask(Account::unlike), "a deposit");
    differs = true;
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    restart();
    var end = valueOf(ref.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(records.texts(Level.WARNING))
        .as("no restart is announced for the replay")
        .noneMatch(each -> each.contains("restarted in") && each.contains("ReplayException"));
    assertThat(end.why())
        .startsWith("an Account on node '")
        .contains(
            "' does not replay: in request 3 (KeptCallsTest$Account.unlike(..)) it called"
                + " Bank.note(int) as call 1, where it had called Bank.deposit(int) before; wrap in"
                + " ActiveObjects.once(..)")
        .endsWith("; a restart would fail again");
    assertThat(store.names()).hasSize(1);
    assertThat(served()).containsExactly(2, 99);
  }

  private String whyReplayFails(Ref<Account> ref) {
    differs = true;
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    restart();
    return valueOf(ref.end(), "the end").why();
  }

  @Test
  void aReplayThatDiffersSendsNoFurtherCallAndHasNoFurtherEffect() {
    var ref = account();
    var other = bank().stub();
    valueOf(ref.ask(a -> a.unlikeTarget(other)), "a deposit");
    assertThat(whyReplayFails(ref))
        .contains("does not replay: in request 3")
        .contains("it called Bank.note(int), Bank.deposit(int), and had made other calls before");
    assertThat(served()).containsExactly(2, 99);

    differs = false;
    var second = account();
    valueOf(second.ask(Account::unlikeEffect), "a request");
    assertThat(whyReplayFails(second)).contains("it used ActiveObjects.once(..), as it had not");
    assertThat(effects).hasValue(0);
  }

  @Test
  void theCallerOfARequestIsTheSameAgain() {
    var ref = account();
    var client = ActiveObjects.ref(ActiveObjects.here().create(Client.class));
    created.add(client);
    valueOf(client.tell(c -> c.call(ref.stub())), "a call");
    valueOf(ref.ask(Account::callerOf), "a call");
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", "Client", "nobody");
  }

  @Test
  void objectsThatCannotRepeatTheirRequestsAreRefused() {
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Looping.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Looping cannot have Keep.calls: its class has a service loop")
        .hasMessageEndingWith("drop the loop, or use Keep.state");
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Endless.class))
        .hasMessageEndingWith(
            "use Keep.state and annotate the class with @Resumable, if serve() may be left and"
                + " entered again");
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Parallel.class))
        .hasMessage(
            "Parallel cannot have Keep.calls: it has @Concurrent methods (read()), whose order cannot be"
                + " repeated; drop the annotation, or use Keep.nothing()");
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Handling.class))
        .hasMessageStartingWith("Handling cannot have Keep.calls: it is a FailureHandler");
    assertThat(store.names()).isEmpty();
  }

  @Test
  void neitherCallsNorAnswersLeaveBeforeTheLogIsStable() {
    var ref = account();
    entries(ref); // it is open
    var stability = new CompletableFuture<Void>();
    store.stableWith(stability);
    var before = store.appends();
    var answer = ref.ask(a -> a.note(1));
    Waits.until(() -> store.appends() > before, "the record of the request");
    assertThat(served()).isEmpty();
    stability.complete(null);
    assertThat(answer(answer, "a note")).isEqualTo(1);
    assertThat(served()).containsExactly(1);

    var failed = new CompletableFuture<Void>();
    store.stableWith(failed);
    var unstable = ref.ask(a -> a.note(2));
    Waits.until(() -> store.appends() > before + 1, "the record of the request");
    store.stableWith(stability);
    failed.completeExceptionally(new IOException("the disk is gone"));
    restart();
    assertThat(answer(unstable, "a note")).isEqualTo(2);
    assertThat(entries(ref)).containsExactly("started", 1, 2);
    assertThat(served()).containsExactly(1, 2);
  }

  @Test
  void aLongLogIsReplacedByAnImage() {
    var ref = account();
    var before = store.images();
    for (var i = 0; i < 10_000; i++) {
      ref.stub().add(i);
    }
    assertThat(store.images()).isEqualTo(before); // since no time has passed
    clock.pass(100);
    for (var i = 10_000; i < 11_000; i++) {
      ref.stub().add(i);
    }
    valueOf(ref.tell(a -> a.add(11_000)), "all requests");
    Waits.until(() -> store.images() > before, "an image");
    failAndRestart(ref);
    assertThat(entries(ref)).hasSize(11_002).endsWith(11_000);
  }

  @Test
  void immediateRequestsAreNotLogged() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Shown.class));
    created.add(ref);
    ref.stub().add(5);
    var before = store.appends();
    assertThat(ref.stub().shown()).isEqualTo(5);
    assertThat(store.appends()).isEqualTo(before);
    var failing = ref.ask(Shown::overflow);
    restart();
    assertThat(failureOf(failing, "an overflow")).isInstanceOf(StackOverflowError.class);
    assertThat(ref.stub().add(1)).isEqualTo(6);
  }

  @Test
  void callsOfAnObjectThatHasEndedSinceAreNotMissed() {
    var ref = account();
    assertThat(answer(ref.ask(a -> a.deposit(5)), "a deposit")).isEqualTo(5);
    valueOf(banks.getFirst().terminate(), "the end of the bank");
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 5);
    assertThat(failureOf(ref.ask(a -> a.deposit(1)), "a deposit"))
        .isInstanceOf(ObjectTerminatedException.class);
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", 5);
  }

  @Test
  void whatTheObjectChangesInAValueIsNotThereAgain() {
    var flushed = new FlushedStore(temporary.resolve("f").toString());
    var ref = account(Options.STANDARD.withKeep(Keep.calls(flushed)).withRestart(Restart.here()));
    entries(ref);
    flushed.failAfter(2); // the value is lost from the log
    var size = ref.ask(Account::onceChanged);
    Waits.until(flushed::hasFailed, "the failure of the log");
    flushed.failAfter(0);
    restart();
    assertThat(answer(size, "the size")).isEqualTo(2);
    assertThat(entries(ref)).containsExactly("started", "once", "more");
  }

  @Test
  void whatTheObjectChangesInAnAnswerIsNotThereAgain() {
    var flushed = new FlushedStore(temporary.resolve("f").toString());
    var ref = account(Options.STANDARD.withKeep(Keep.calls(flushed)).withRestart(Restart.here()));
    entries(ref);
    flushed.failAfter(2); // the answer is lost from the log
    var size = ref.ask(Account::answerChanged);
    Waits.until(flushed::hasFailed, "the failure of the log");
    flushed.failAfter(0);
    restart();
    assertThat(answer(size, "the size")).isEqualTo(2);
    assertThat(entries(ref)).containsExactly("started", 0, 7);
  }

  @Test
  void aResultThatWasGivenAwayOutlivesAFailureOfTheLog() {
    var ref = account();
    valueOf(ref.tell(a -> a.begin(5)), "the begin of a call");
    var promised = valueOf(ref.ask(Account::promise), "the promise");
    store.failAfter(1);
    var note = ref.ask(a -> a.note(7));
    Waits.until(store::hasFailed, "the failure of the log");
    gate.countDown();
    assertThat(served()).containsExactly(5); // its answer arrives before the restart
    restart();
    assertThat(answer(promised, "what was promised")).isEqualTo(5);
    assertThat(answer(note, "a note")).isEqualTo(7);
    assertThat(answer(ref.ask(Account::finish), "a deposit")).isEqualTo(5);
    assertThat(served()).containsExactly(5, 7);
  }

  @Test
  void aCycleOfWaitsIsFoundAgain() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Friend.class));
    var other = ActiveObjects.ref(ActiveObjects.here().create(Friend.class));
    created.add(ref);
    created.add(other);
    ref.stub().meet(other.stub());
    other.stub().meet(ref.stub());
    assertThat(cycleFoundByTheKeptOne(other)).isEqualTo("a cycle");
    assertThat(failureOf(ref.ask(Friend::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    restart();
    assertThat(valueOf(ref.ask(Friend::greetBack), "a greeting")).isEqualTo("a friend");
  }

  /** Lets both wait for each other until the one that is kept is the second to wait. */
  private static String cycleFoundByTheKeptOne(Ref<Friend> other) {
    for (; ; ) {
      try {
        return valueOf(other.ask(Friend::greet), "a greeting");
      } catch (CompletionException found) {
        assertThat(found).hasCauseInstanceOf(WaitCycleException.class);
      }
    }
  }

  @Test
  void anErrorOfAnEffectIsLogged() {
    var ref = account();
    valueOf(ref.ask(Account::onceError), "an effect");
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started", "wrong");
    assertThat(effects).hasValue(1);
  }

  @Test
  void collectionsAreComparedByTheirInterfaces() {
    var ref = account();
    for (Object each :
        List.of(
            Stream.of(1, 2).toList(),
            List.of(1),
            new ArrayList<>(List.of(1, 2)).subList(0, 1),
            Set.of(1),
            Map.of(1, 2))) {
      valueOf(ref.ask(a -> a.echo(each)), "an echo");
    }
    failAndRestart(ref);
    assertThat(entries(ref)).containsExactly("started");
  }

  @Test
  void longAnswersMakeALogLong() {
    var ref = account();
    var before = store.images();
    clock.pass(100);
    for (var i = 0; i < 20; i++) {
      assertThat(answer(ref.ask(Account::read), "the length")).isEqualTo(100_000);
    }
    Waits.until(() -> store.images() > before, "an image");
  }

  @Test
  void aRestartWaitsForAnImageBehindWhichAnotherWaits() {
    var ref = account();
    entries(ref);
    var hold = new CompletableFuture<Void>();
    store.holdImages(hold);
    var first = ref.checkpoint();
    Waits.until(store::isImageHeld, "an image that is being written");
    ref.stub().add(1);
    var second = ref.checkpoint(); // waits for the first
    assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    restart();
    hold.complete(null);
    valueOf(first, "the first image");
    assertThat(entries(ref)).containsExactly("started", 1);
    valueOf(second, "the second image");
    assertThat(store.wasReadMeanwhile()).isFalse();
  }

  @Test
  void noRequestIsLostIfAnImmediateMethodFailsBeforeTheLog() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Shown.class));
    created.add(ref);
    var slow = ref.ask(Shown::waitForGate);
    Waits.until(() -> store.appends() == 1, "the record of the request, which is not to fail");
    var first = ref.ask(s -> s.add(1));
    var second = ref.ask(s -> s.add(2));
    assertThat(failureOf(ref.ask(Shown::failAtOnce), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    store.failAfter(1);
    gate.countDown();
    valueOf(slow, "a request");
    Waits.until(store::hasFailed, "the failure of the log");
    restart();
    assertThat(answer(first, "a sum")).isEqualTo(1);
    assertThat(answer(second, "a sum")).isEqualTo(3);
  }

  @Test
  void aTerminatedObjectLeavesTheStore() {
    var ref = account();
    valueOf(ref.terminate(), "the end");
    assertThat(store.names()).isEmpty();
  }

  @Test
  void withoutRestartsAFailureOfTheLogEndsTheObject() {
    var ref = account(Options.STANDARD.withKeep(Keep.calls(store)));
    valueOf(ref.ask(a -> a.note(1)), "a note");
    store.failAfter(1);
    assertThat(failureOf(ref.ask(a -> a.note(2)), "a note"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("whether Account.note(int) was served is unknown: an Account on node")
        .hasMessageContaining("could not write its log in " + temporary.resolve("s"))
        .hasMessageContaining("the disk is full");
    assertThat(valueOf(ref.end(), "the end").why()).contains("the disk is full");
    assertThat(served()).containsExactly(1);
    assertThat(store.names()).hasSize(1);
  }

  @Test
  void aLogThatFailsAtAnyRecordChangesNoAnswerAndNoEffect() {
    var passages = 0;
    for (var isOver = false; !isOver; passages++) {
      served.clear();
      effects.set(0);
      starts.set(0);
      store.failAfter(passages);
      var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Account.class));
      created.add(ref);
      var bank = bank().stub();
      ref.tell(a -> a.open(bank));
      var numbers = new ArrayList<CompletableFuture<Integer>>();
      numbers.add(ref.ask(a -> a.deposit(5)));
      numbers.add(ref.ask(a -> a.note(7)));
      numbers.add(ref.ask(a -> a.tryDeposit(8)));
      numbers.add(ref.ask(a -> a.once(9)));
      numbers.add(ref.ask(a -> a.deposit(1)));
      var entries = ref.ask(Account::entries);
      isOver = passages > 0 && !hasFailed(entries);
      if (!isOver && passages > 0) {
        restart();
      }
      var failure = "a failure at record " + passages;
      assertThat(valueOf(entries, "the entries"))
          .as(failure)
          .containsExactly("started", 5, 7, "no 8", 9, 6);
      assertThat(numbers)
          .extracting(each -> valueOf(each, failure))
          .containsExactly(5, 7, -1, 9, 6);
      assertThat(served()).as(failure).containsExactly(5, 7, -8, 1);
      assertThat(effects).as(failure).hasValue(9);
    }
    assertThat(passages).isGreaterThan(10);
  }

  /** Waits until the last request has an answer, or the log has failed. */
  private boolean hasFailed(CompletableFuture<?> last) {
    Waits.until(() -> last.isDone() || store.hasFailed(), "the last answer, or a failure");
    return store.hasFailed();
  }

  @Test
  void objectsOnSeveralNodesAreCalledOnce() {
    var grid = InProcessGrid.start(2);
    try {
      var ref = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(kept()).create(Account.class));
      ref.stub().open(ActiveObjects.on(grid.get(1)).create(Bank.class));
      assertThat(answer(ref.ask(a -> a.deposit(5)), "a deposit")).isEqualTo(5);
      valueOf(ref.tell(a -> a.begin(6)), "the begin of a call");
      assertThat(failureOf(ref.ask(Account::overflow), "an overflow"))
          .isInstanceOf(StackOverflowError.class);
      gate.countDown();
      assertThat(answer(ref.ask(Account::finish), "a deposit")).isEqualTo(11);
      assertThat(entries(ref)).containsExactly("started", 5, "begun", 11);
      Waits.until(() -> served.size() >= 3, "the last one-way call");
      assertThat(served).containsExactly(5, 6, 99);
    } finally {
      grid.close();
    }
  }
}
