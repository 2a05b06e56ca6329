package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
import org.troupe.activeobjects.Concurrent;
import org.troupe.activeobjects.End;
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
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.body.RestartClock;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.testing.LogRecords;

/** Objects whose images are kept in a store. */
@Timeout(120)
class KeptStateTest {

  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static volatile CountDownLatch arrived = new CountDownLatch(1);
  private static volatile CountDownLatch gate = new CountDownLatch(1);

  private final ManualRestartClock clock = new ManualRestartClock();
  private RestartClock clockBefore;
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<Ref<Account>> created = new ArrayList<>();
  @TempDir private Path temporary;
  private WatchedStore store;

  /** A store in a directory, whose images can be held up and can fail. */
  static final class WatchedStore implements Store {
    final AtomicInteger images = new AtomicInteger();
    volatile @Nullable CountDownLatch mayWrite;
    volatile boolean isFull;
    private final Store.Directory directory;
    private @Nullable Journals open;

    WatchedStore(Path folder) {
      this.directory = Store.directory(folder);
    }

    @Override
    public Journals open(StoreUser user) throws IOException {
      var journals = directory.open(user);
      open = journals;
      return new WrappedJournals(journals, WatchedJournal::new);
    }

    Set<String> names() {
      try {
        return open == null ? Set.of() : open.names();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private final class WatchedJournal extends WrappedJournal {

      WatchedJournal(Journal journal) {
        super(journal);
      }

      @Override
      public void replace(long upTo, ByteBuffer... parts) throws IOException {
        if (isFull) {
          throw new IOException("the store is full");
        }
        var latch = mayWrite;
        if (latch != null) {
          arrived.countDown();
          Waits.await(latch, "the permission to write");
        }
        super.replace(upTo, parts);
        images.incrementAndGet();
      }
    }
  }

  /** Keeps numbers, and fails as it is told to. */
  static class Account implements LifeCycle {
    private final List<Integer> numbers = new ArrayList<>();
    private @Nullable Object held;
    private transient String scratch = "made";

    Account(int first) {
      numbers.add(first);
    }

    @Override
    public void started() {
      told.add("started");
    }

    @Override
    public void arrived() {
      told.add("arrived");
      scratch = "arrived";
    }

    List<Integer> numbers() {
      return new ArrayList<>(numbers);
    }

    int add(int number) {
      numbers.add(number);
      return numbers.size();
    }

    String scratch() {
      return scratch;
    }

    int pass() {
      arrived.countDown();
      Waits.await(gate, "the gate");
      numbers.add(99);
      return numbers.size();
    }

    int overflow() {
      numbers.clear();
      throw new StackOverflowError("deep");
    }

    boolean hold(Object object) {
      held = object;
      return true;
    }

    boolean holdItself() {
      held = this;
      return true;
    }

    boolean holdsItself() {
      return held == this;
    }

    boolean holdThread() {
      held = Thread.currentThread();
      return true;
    }

    boolean holdStubOfItself() {
      held = ActiveObjects.self(Account.class).stub();
      return true;
    }

    Object held() {
      return held;
    }

    List<Integer> numbersOfHeld() {
      return ((Account) held).numbers();
    }

    Object heldResult() {
      return ((CompletableFuture<?>) held).join();
    }
  }

  /** Has its own loop. */
  static class Looping implements Service {
    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      while (queue.isOpen()) {
        queue.serveOldest(request -> true);
      }
    }
  }

  /** Has a loop that may be left and entered again. */
  @Resumable
  static class Resuming implements Service {
    private int number;
    private int entries;

    int add(int more) {
      return number += more;
    }

    int number() {
      return number;
    }

    int entries() {
      return entries;
    }

    int overflow() {
      number = -1;
      throw new StackOverflowError("deep");
    }

    @Override
    public void serve(RequestQueue queue) throws InterruptedException {
      entries++;
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

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    clockBefore = NodeRuntime.main().objects().restartBy(clock);
    ActiveObjects.onFailure(
        failure -> failures.add(failure.call() + ": " + failure.cause().getMessage()));
    told.clear();
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    store = new WatchedStore(temporary.resolve("s"));
  }

  @AfterEach
  void end() {
    gate.countDown();
    store.isFull = false;
    created.forEach(each -> valueOf(each.terminateNow(), "the end of an object"));
    Waits.until(() -> StoreFiles.areDeleted(temporary.resolve("s")), "the end of the last write");
    NodeRuntime.main().objects().restartBy(clockBefore);
    ActiveObjects.onFailure(null);
  }

  private Options kept() {
    return Options.STANDARD.withKeep(Keep.state(store)).withRestart(Restart.here());
  }

  private Ref<Account> account() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Account.class, 7));
    created.add(ref);
    return ref;
  }

  /** Ends the pause before a restart, of two kinds of pauses that the clock has. */
  private void restart() {
    while (clock.endPause() >= 1_000) {
      // a minute without a checkpoint is over
    }
  }

  @Test
  void aRestartContinuesFromTheLastImage() {
    var ref = account();
    valueOf(ref.ask(a -> a.add(1)), "a request");
    valueOf(ref.checkpoint(), "a checkpoint");
    valueOf(ref.ask(a -> a.add(2)), "a request");
    var failing = ref.ask(Account::overflow);
    var waiting = ref.ask(Account::numbers);
    assertThat(failureOf(failing, "an overflow")).isInstanceOf(StackOverflowError.class);
    store.isFull = true; // so that no image is made meanwhile
    restart();
    assertThat(valueOf(waiting, "the numbers")).containsExactly(7, 1);
    assertThat(valueOf(ref.ask(Account::scratch), "a field")).isEqualTo("arrived");
    assertThat(told).containsExactly("started", "arrived");
  }

  @Test
  void aRestartBeforeAnyCheckpointContinuesFromTheBirth() {
    var ref = account();
    valueOf(ref.ask(a -> a.add(1)), "a request");
    ref.ask(Account::overflow);
    store.isFull = true;
    restart();
    assertThat(valueOf(ref.ask(Account::numbers), "the numbers")).containsExactly(7);
  }

  @Test
  void creationWaitsUntilTheFirstImageIsStable() {
    store.mayWrite = new CountDownLatch(1);
    var creation = ActiveObjects.here().with(kept()).createAsync(Account.class, 7);
    Waits.await(arrived, "the write of the image");
    assertThat(creation).isNotDone();
    assertThat(told).isEmpty();
    store.mayWrite.countDown();
    valueOf(creation, "the creation");
    assertThat(store.images).hasValue(1);
  }

  @Test
  void aMinuteAfterARequestThereIsANewImage() {
    var ref = account();
    valueOf(ref.ask(a -> a.add(1)), "a request");
    assertThat(clock.endPause()).isEqualTo(60_000);
    Waits.until(() -> store.images.get() == 2, "a second image");
    assertThat(clock.endPause()).isEqualTo(60_000); // nothing was served since
    var next = clock.awaitPause();
    assertThat(store.images).hasValue(2);
    valueOf(ref.ask(a -> a.add(2)), "a request");
    next.run();
    Waits.until(() -> store.images.get() == 3, "a third image");
  }

  @Test
  void theTimeBetweenImagesCanBeChosen() {
    var often = kept().withKeep(Keep.state(store).every(Duration.ofSeconds(5)));
    created.add(ActiveObjects.ref(ActiveObjects.here().with(often).create(Account.class, 7)));
    assertThat(clock.endPause()).isEqualTo(5_000);
    assertThatThrownBy(() -> Keep.nothing().every(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCheckpointFollowsTheRequestInServiceAndServiceGoesOnWhileItIsWritten() {
    var ref = account();
    var busy = ref.ask(Account::pass);
    Waits.await(arrived, "a request");
    arrived = new CountDownLatch(1);
    store.mayWrite = new CountDownLatch(1);
    var checkpoint = ref.checkpoint();
    var shared = ref.checkpoint();
    gate.countDown();
    Waits.await(arrived, "the write of the image");
    assertThat(valueOf(busy, "the busy request")).isEqualTo(2);
    assertThat(ref.stub().add(5)).isEqualTo(3);
    assertThat(checkpoint).isNotDone();
    store.mayWrite.countDown();
    valueOf(checkpoint, "the checkpoint");
    valueOf(shared, "the checkpoint");
    assertThat(store.images).hasValue(2);
    store.mayWrite = null;
    store.isFull = true;
    ref.ask(Account::overflow);
    restart();
    assertThat(valueOf(ref.ask(Account::numbers), "the numbers")).containsExactly(7, 99);
  }

  @Test
  void onlyKeptObjectsHaveCheckpoints() {
    var plain = ActiveObjects.ref(ActiveObjects.here().create(Account.class, 7));
    assertThat(failureOf(plain.checkpoint(), "a checkpoint"))
        .hasMessageContaining("is not kept, so it has no checkpoint; create it with");
    var ref = account();
    valueOf(ref.terminate(), "the end");
    assertThat(failureOf(ref.checkpoint(), "a checkpoint"))
        .hasMessageContaining("has been terminated");
  }

  @Test
  void objectsThatCannotBeKeptAreRefused() {
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Looping.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Looping cannot have Keep.state: its class has a service loop; annotate it with"
                + " @Resumable if serve() may be left and entered again");
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Parallel.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Parallel cannot have Keep.state: it has @Concurrent methods (read())");
    assertThat(store.names()).isEmpty();
  }

  @Test
  void aServiceLoopThatMayBeLeftIsEnteredAgainAfterAnImage() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Resuming.class));
    assertThat(ref.stub().add(5)).isEqualTo(5);
    valueOf(ref.checkpoint(), "a checkpoint");
    assertThat(ref.stub().add(1)).isEqualTo(6);
    assertThat(ref.stub().entries()).isEqualTo(2);
    store.isFull = true;
    ref.ask(Resuming::overflow);
    restart();
    assertThat(ref.stub().number()).isEqualTo(5);
    store.isFull = false;
    valueOf(ref.terminateNow(), "the end");
  }

  /** Holds what cannot be stored. */
  static class Clockwork {
    private final Thread thread = new Thread();

    String name() {
      return thread.getName();
    }
  }

  @Test
  void anObjectThatCannotBeEncodedIsRefusedWithThePath() {
    assertThatThrownBy(() -> ActiveObjects.here().with(kept()).create(Clockwork.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Clockwork cannot have Keep.state: ")
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("Clockwork.thread");
    assertThat(store.names()).isEmpty();
  }

  @Test
  void anObjectThatHoldsAnAwaitedResultKeepsItsFormerImage() {
    var ref = account();
    var other = ActiveObjects.ref(ActiveObjects.here().create(Account.class, 1));
    valueOf(ref.ask(a -> a.hold(other.ask(Account::pass))), "a request");
    assertThat(failureOf(ref.checkpoint(), "a checkpoint"))
        .hasMessageContaining("Account.held")
        .hasMessageContaining("a result that has not arrived");
    assertThat(store.images).hasValue(1);
    assertThat(ref.stub().add(3)).isEqualTo(2);
    gate.countDown();
    Waits.until(
        () -> {
          try {
            valueOf(ref.checkpoint(), "a checkpoint");
            return true;
          } catch (CompletionException notYet) {
            return false;
          }
        },
        "an image with the result");
  }

  @Test
  void aStoreThatFailsIsReportedAndTriedAgain() {
    var ref = account();
    valueOf(ref.ask(a -> a.add(1)), "a request");
    store.isFull = true;
    assertThat(failureOf(ref.checkpoint(), "a checkpoint")).hasMessage("the store is full");
    assertThat(clock.endPause()).isEqualTo(60_000);
    var next = clock.awaitPause(); // nothing was served since, but no image is stable either
    Waits.until(() -> !failures.isEmpty(), "a report");
    assertThat(failures)
        .containsExactly("the image of an Account on node 'main': the store is full");
    store.isFull = false;
    next.run();
    Waits.until(() -> store.images.get() == 2, "an image");
    assertThat(valueOf(ref.ask(Account::numbers), "the numbers")).containsExactly(7, 1);
  }

  @Test
  void anObjectWhoseFirstImageFailsIsNotCreated() {
    store.isFull = true;
    assertThatThrownBy(this::account)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("was not created: the store is full");
    assertThat(told).isEmpty();
    assertThat(store.names()).isEmpty();
  }

  @Test
  void aStoreOfAnotherRunIsRefused() throws IOException {
    var user = new StoreUser("r17", 4242, "h", Instant.now());
    var directory = Store.directory(temporary.resolve("other"));
    try (var others = directory.open(user)) {
      assertThatThrownBy(
              () ->
                  ActiveObjects.here()
                      .with(Options.STANDARD.withKeep(Keep.state(directory)))
                      .create(Account.class, 7))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("is used by the run 'r17' (process 4242 on host h)");
      assertThat(others.names()).isEmpty();
    }
  }

  @Test
  void aTerminatedObjectLeavesTheStoreAndAFailedOneStays() {
    var ref = account();
    assertThat(store.names()).hasSize(1);
    valueOf(ref.terminate(), "the end");
    assertThat(store.names()).isEmpty();

    var failing =
        ActiveObjects.ref(
            ActiveObjects.here()
                .with(Options.STANDARD.withKeep(Keep.state(store)))
                .create(Account.class, 7));
    failing.ask(Account::overflow);
    assertThat(valueOf(failing.end(), "the end").how()).isEqualTo(End.How.FAILED);
    assertThat(store.names()).hasSize(1);
  }

  private Object heldAfterARestart(Ref<Account> ref) {
    valueOf(ref.checkpoint(), "a checkpoint");
    store.isFull = true;
    ref.ask(Account::overflow);
    restart();
    var held = valueOf(ref.ask(Account::held), "what it holds");
    store.isFull = false;
    return held;
  }

  @Test
  void anImageHasReferences() {
    var ref = account();
    var other = ActiveObjects.ref(ActiveObjects.here().create(Account.class, 1));
    valueOf(ref.ask(a -> a.hold(List.of(other.stub(), other))), "a request");
    var held = (List<?>) heldAfterARestart(ref);
    assertThat(ActiveObjects.ref(held.get(0))).isEqualTo(other);
    assertThat(held.get(1)).isEqualTo(other);
    assertThat(((Account) held.get(0)).numbers()).containsExactly(1);
  }

  @Test
  void anImageHasTheObjectItselfByItsFields() {
    var ref = account();
    valueOf(ref.ask(Account::holdItself), "a request");
    heldAfterARestart(ref);
    assertThat(valueOf(ref.ask(Account::holdsItself), "whether it is the same")).isTrue();

    var referring = account();
    valueOf(referring.ask(Account::holdStubOfItself), "a request");
    assertThat(ActiveObjects.ref(heldAfterARestart(referring))).isEqualTo(referring);
  }

  @Test
  void aReferenceToAnObjectThatHasEndedStaysOne() {
    var ref = account();
    var other = ActiveObjects.ref(ActiveObjects.here().create(Account.class, 1));
    valueOf(ref.ask(a -> a.hold(other.stub())), "a request");
    valueOf(ref.checkpoint(), "a checkpoint");
    valueOf(other.terminate(), "the end of the other");
    store.isFull = true;
    ref.ask(Account::overflow);
    restart();
    assertThat(failureOf(ref.ask(Account::numbersOfHeld), "a call of the other"))
        .isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void anImageHasResultsThatHaveArrived() {
    var ref = account();
    var other = ActiveObjects.ref(ActiveObjects.here().create(Account.class, 1));
    var result = other.ask(Account::numbers);
    valueOf(result, "a result");
    valueOf(ref.ask(a -> a.hold(result)), "a request");
    heldAfterARestart(ref);
    assertThat(valueOf(ref.ask(Account::heldResult), "the result")).isEqualTo(List.of(1));
  }

  @Test
  void anImageIsAskedForFromAnotherNode() {
    var grid = InProcessGrid.start(2);
    try {
      var one =
          ActiveObjects.ref(
              ActiveObjects.on(grid.get(0))
                  .with(
                      Options.STANDARD.withKeep(
                          Keep.state(Store.directory(temporary.resolve("grid")))))
                  .create(Account.class, 7));
      valueOf(one.ask(a -> a.add(1)), "a request");
      valueOf(one.checkpoint(), "a checkpoint from another node");
    } finally {
      grid.close();
    }
  }

  @Test
  void theNodesOfAGridShareAStoreAndLeaveLastImagesWhenTheyAreClosed() throws IOException {
    var directory = Store.directory(temporary.resolve("grid"));
    var grid = InProcessGrid.start(2);
    var busy = new ArrayList<CompletableFuture<Integer>>();
    try {
      for (int i = 0; i < 2; i++) {
        var ref =
            ActiveObjects.ref(
                ActiveObjects.on(grid.get(i))
                    .with(Options.STANDARD.withKeep(Keep.state(directory)))
                    .create(Account.class, 7));
        valueOf(ref.ask(a -> a.add(1)), "a request");
        busy.add(ref.ask(a -> a.add(2)));
      }
      busy.forEach(each -> valueOf(each, "a request"));
    } finally {
      grid.close();
    }
    try (var later = directory.open(new StoreUser("later", 1, "h", Instant.now()))) {
      assertThat(later.names()).hasSize(2);
      for (var name : later.names()) {
        try (var journal = later.open(name, 1)) {
          assertThat(journal.image()).isPresent();
        }
      }
    }
  }

  @Test
  void anImageThatCannotBeReadIsNamedAsTheCause() throws IOException {
    var once = kept().withRestart(Restart.here().times(1, Duration.ofHours(1)));
    var account = ActiveObjects.ref(ActiveObjects.here().with(once).create(Account.class, 7));
    created.add(account);
    store.isFull = true;
    account.ask(Account::overflow);
    try (var files = Files.walk(temporary)) {
      for (var each : files.filter(file -> file.endsWith("image")).toList()) {
        Files.write(each, new byte[100]);
      }
    }
    restart();

    assertThat(valueOf(account.end(), "the end").why())
        .contains("it could not be made from its last image: java.io.IOException: the image ")
        .contains("is damaged")
        .doesNotContain("constructor");
  }

  @Test
  void immediateRequestsChangeTheObjectToo() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Register.class));
    try {
      valueOf(ref.checkpoint(), "an image");
      ref.stub().set(5);
      var before = store.images.get();

      Waits.until( // the answer comes before the end of the request
          () -> {
            if (clock.isPausing()) {
              clock.endPause();
            }
            return store.images.get() == before + 1;
          },
          "an image");
    } finally {
      valueOf(ref.terminateNow(), "the end");
    }
  }

  @Test
  void imagesMayBeMadeAsSeldomAsOneLikes() {
    var never = Keep.state(store).every(ChronoUnit.FOREVER.getDuration());
    var ref =
        ActiveObjects.ref(
            ActiveObjects.here().with(kept().withKeep(never)).create(Account.class, 1));
    created.add(ref);

    assertThat(ref.stub().add(2)).isEqualTo(2);
  }

  @Test
  void anObjectThatHasEndedIsNotHeldUntilItsNextImage() {
    var held = new WeakReference<>(heldAndTerminated());

    Waits.until(
        () -> {
          System.gc();
          return held.refersTo(null);
        },
        "the object being collected");
  }

  private Object heldAndTerminated() {
    var ref = ActiveObjects.ref(ActiveObjects.here().with(kept()).create(Account.class, 7));
    var body = ((Reference.Target.Here) ((Reference<?>) ref).target()).body();
    valueOf(ref.terminate(), "the end of an object");
    return body;
  }

  /** Is changed beside its queue. */
  static class Register {
    private int value;

    @Immediate
    int set(int next) {
      value = next;
      return next;
    }
  }
}
