package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.testing.LogRecords;

/** Kept objects whose node is lost go on on another node, from their store. */
@Timeout(120)
class KeptElsewhereTest {

  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static final AtomicInteger calls = new AtomicInteger(); // of Bell.ring
  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;
  private static volatile @Nullable Runnable poison;

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Counts, and knows where it is. */
  public static class Counter implements LifeCycle {
    private final byte[] ballast;
    private int sum;

    public Counter(byte[] ballast) {
      this.ballast = ballast;
    }

    @Override
    public void started() {
      told.add("started");
    }

    @Override
    public void arrived() {
      told.add("arrived on " + ActiveObjects.node().name() + " with " + sum);
    }

    @Override
    public void leaving() {
      told.add("leaving with " + sum);
    }

    public int add(int number) {
      sum += number;
      return sum;
    }

    public int addWhenOpen(int number) {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return add(number);
    }

    public int length() {
      return ballast.length;
    }

    public int fail() throws IOException {
      throw new IOException("no disk");
    }

    public int endItsNode() {
      var deadly = poison;
      if (deadly != null) {
        deadly.run();
      }
      return add(1_000);
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Is rung. */
  public static class Bell {
    public int ring(int number) {
      calls.incrementAndGet();
      return number * 10;
    }

    public int ringWhenOpen(int number) {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return ring(number);
    }
  }

  /** Calls a bell. */
  public static class Ringer {
    private int sum;
    private int failures;

    public int ring(Bell bell, int number) {
      sum += bell.ring(number);
      return sum;
    }

    public int ringWhenOpen(Bell bell, int number) {
      try {
        sum += bell.ringWhenOpen(number);
      } catch (RestartedException unknown) {
        failures++;
      }
      return sum;
    }

    public List<Integer> state() {
      return List.of(sum, failures);
    }
  }

  /** A store in a directory that some nodes do not see. */
  record HiddenStore(Store.Directory directory) implements Store {
    static final Set<String> blind = ConcurrentHashMap.newKeySet();

    @Override
    public Journals open(StoreUser user) throws IOException {
      return directory.open(user);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      if (blind.contains(ActiveObjects.node().name())) {
        throw new MissingJournalException("there is no store in /there");
      }
      return directory.openExisting(user);
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    told.clear();
    calls.set(0);
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    poison = null;
    HiddenStore.blind.clear();
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    gate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store.Directory store() {
    return Store.directory(folder.resolve("store"));
  }

  private static Options elsewhere(Keep keep) {
    return Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere());
  }

  private Ref<Counter> counter(Keep keep) {
    return counter(elsewhere(keep), 0);
  }

  private Ref<Counter> counter(Options options, int ballast) {
    return ActiveObjects.ref(
        ActiveObjects.on(grid.get(0)).with(options).create(Counter.class, new byte[ballast]));
  }

  private void kill(Ref<?> object) {
    kill(object.node().name());
  }

  private void kill(String node) {
    grid.kill(grid.list().stream().map(each -> each.name()).toList().indexOf(node));
  }

  private long journals() throws IOException {
    try (var all = Files.list(folder.resolve("store").resolve("journals"))) {
      return all.count();
    }
  }

  /** Makes a call until it is answered: the first may be unanswered at the loss. */
  private static <T> Object answer(Ref<T> object, Function<T, ?> call) {
    for (var attempts = 0; ; attempts++) {
      try {
        return object.<Object>ask(call::apply).join();
      } catch (CompletionException failure) {
        assertThat(failure.getCause()).isInstanceOf(RestartedException.class);
        assertThat(attempts).isLessThan(3);
      }
    }
  }

  @Test
  void anObjectGoesOnFromItsLastImage() {
    var counter = counter(Keep.state(store()));
    counter.stub().add(5);
    valueOf(counter.checkpoint(), "the image");
    counter.stub().add(7);

    kill(counter);

    assertThat(answer(counter, Counter::place)).isIn("node-2", "node-3");
    assertThat(counter.stub().add(1)).isEqualTo(6);
    assertThat(told).containsExactly("started", "arrived on " + counter.stub().place() + " with 5");
    assertThat(counter.end().isDone()).isFalse();
  }

  @Test
  void anObjectWhoseCallsAreLoggedHasTheEffectOfAllThatWereAnswered() {
    var counter = counter(Keep.calls(store()));
    for (var i = 1; i <= 10; i++) {
      assertThat(counter.stub().add(1)).isEqualTo(i);
    }

    kill(counter);

    assertThat(answer(counter, Counter::place)).isIn("node-2", "node-3");
    assertThat(counter.stub().add(1)).isEqualTo(11);
    assertThat(told)
        .containsExactly("started", "arrived on " + counter.stub().place() + " with 0", "started");
  }

  @Test
  void anObjectIsLostAgainAndAgain() {
    for (var keep : List.of(Keep.calls(store()), Keep.state(store()))) {
      var counter = counter(elsewhere(keep).withRestart(Restart.elsewhere()), 0);
      for (var i = 1; i <= 3; i++) {
        assertThat(answer(counter, each -> each.add(1))).as("round " + i).isEqualTo(i);
        valueOf(counter.checkpoint(), "the image");
        kill(counter.stub().place());
        grid.join();
      }
      assertThat(answer(counter, each -> each.add(1))).isEqualTo(4);
      grid.close();
      grid = InProcessGrid.start(3);
    }
  }

  @Test
  void aCallWithoutAnAnswerEndsWithAnErrorThatSaysFromWhatItWentOn() {
    var counter = counter(Keep.state(store()));
    var busy = counter.ask(each -> each.addWhenOpen(1));
    Waits.await(arrived, "the request");

    kill(counter);

    assertThat(failureOf(busy, "the call at the loss"))
        .isInstanceOf(RestartedException.class)
        .hasMessageStartingWith("a Counter was lost with node 'node-1'")
        .hasMessageMatching(
            ".* and was restarted on node 'node-[23]' from its state of \\d+ s ago; whether"
                + " .*addWhenOpen.* was served is unknown");
    gate.countDown();
    assertThat(counter.stub().add(3)).isEqualTo(3);
  }

  @Test
  void anOriginInAStoreMayBeLarge() {
    var counter = counter(elsewhere(Keep.state(store())), 10 << 20);
    kill(counter);
    assertThat(answer(counter, Counter::length)).isEqualTo(10 << 20);
  }

  @Test
  void aNodeThatDoesNotSeeTheStoreIsNotChosen() {
    HiddenStore.blind.add("node-2");
    HiddenStore.blind.add("node-4");
    grid.join();
    for (var i = 0; i < 3; i++) { // so that the others are preferred
      ActiveObjects.register(
          grid.get(2), "bell " + i, ActiveObjects.on(grid.get(2)).create(Bell.class));
    }
    var counter = counter(Keep.state(new HiddenStore(store())));
    valueOf(counter.ask(each -> each.add(4)), "a call");
    valueOf(counter.checkpoint(), "the image");

    kill(counter);

    assertThat(answer(counter, Counter::place)).isEqualTo("node-3");
    assertThat(counter.stub().add(1)).isEqualTo(5);
  }

  @Test
  void anObjectWhoseStoreNoNodeSeesIsGivenUpWithTheReason(LogRecords records) {
    records.allow(Level.WARNING, "on which it could be restarted");
    var property = System.setProperty("troupe.restart.wait", "PT0.1S");
    grid.close();
    try {
      grid = InProcessGrid.start(2);
      HiddenStore.blind.add("node-2");
      var counter = counter(Keep.state(new HiddenStore(store())));
      kill(counter);

      var end = valueOf(counter.end(), "the end");

      assertThat(end.how()).isEqualTo(End.How.LOST);
      assertThat(end.why())
          .contains("node 'node-2' does not see its store: there is no store in /there");
      assertThatThrownBy(() -> counter.ask(Counter::place).join())
          .hasCauseInstanceOf(NodeLostException.class);
    } finally {
      if (property == null) {
        System.clearProperty("troupe.restart.wait");
      } else {
        System.setProperty("troupe.restart.wait", property);
      }
    }
  }

  @Test
  void aDirectoryIsNotCreatedForAnObjectThatItDoesNotHave() throws IOException {
    var counter = counter(Keep.state(store()));
    assertThat(counter.stub().add(1)).isEqualTo(1);
    var user = new StoreUser("r", 1, "h9", java.time.Instant.now());
    var elsewhere = folder.resolve("elsewhere");
    assertThatThrownBy(() -> Store.directory(elsewhere).openExisting(user))
        .isInstanceOf(MissingJournalException.class)
        .hasMessageContaining("there is no store in " + elsewhere + " on host h9");
    assertThat(elsewhere).doesNotExist();
  }

  @Test
  void anObjectThatIsTerminatedAfterARestartIsRemovedFromTheStore() throws IOException {
    var counter = counter(Keep.state(store()));
    assertThat(journals()).isEqualTo(1);
    kill(counter);
    assertThat(answer(counter, each -> each.add(1))).isEqualTo(1);

    assertThat(valueOf(counter.terminate(), "the end").how()).isEqualTo(End.How.TERMINATED);

    try (var all = Files.walk(folder)) {}
    assertThat(journals()).isZero();
  }

  @Test
  void anObjectThatTheCoordinatorRefusesLeavesNoJournal() throws IOException {
    var bounded = elsewhere(Keep.state(store())).withQueueBound(2);
    assertThatThrownBy(() -> counter(bounded, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its queue is bounded");
    assertThat(journals()).isZero();
  }

  @Test
  void anObjectWhoseNodeLeavesLosesNothing() {
    var counter = counter(Keep.state(store()));
    counter.stub().add(5);

    grid.leave(0);

    assertThat(answer(counter, Counter::place)).isIn("node-2", "node-3");
    assertThat(counter.stub().add(1)).isEqualTo(6);
    assertThat(told)
        .containsExactly(
            "started", "leaving with 5", "arrived on " + counter.stub().place() + " with 5");
  }

  @Test
  void aFailureAfterARestartOnAnotherNodeRestartsItThere(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    for (var keep : List.of(Keep.state(store()), Keep.calls(store()))) {
      var counter =
          counter(elsewhere(keep).withRestart(Restart.elsewhere().on(IOException.class)), 0);
      counter.stub().add(5);
      valueOf(counter.checkpoint(), "the image");
      kill(counter);
      var place = answer(counter, Counter::place);

      assertThatThrownBy(counter.stub()::fail).isInstanceOf(IOException.class);

      assertThat(counter.stub().add(1)).isEqualTo(6);
      assertThat(counter.stub().place()).isEqualTo(place);
      grid.close();
      grid = InProcessGrid.start(3);
    }
  }

  @Test
  void callsOfALoggedObjectAreNotMadeAgain() {
    var bell = ActiveObjects.on(grid.get(1)).create(Bell.class);
    var ringer =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(0))
                .with(elsewhere(Keep.calls(store())))
                .create(Ringer.class));
    IntStream.range(1, 5).forEach(i -> ringer.stub().ring(bell, i));
    assertThat(calls.get()).isEqualTo(4);

    grid.kill(0);

    assertThat(answer(ringer, Ringer::state)).isEqualTo(List.of(100, 0));
    assertThat(calls.get()).isEqualTo(4);
    assertThat(ringer.stub().ring(bell, 1)).isEqualTo(110);
  }

  @Test
  void aCallThatWasUnansweredAtTheLossIsMadeAgainAndServedOnce() {
    var bell = ActiveObjects.on(grid.get(1)).create(Bell.class);
    var ringer =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(0))
                .with(elsewhere(Keep.calls(store())))
                .create(Ringer.class));
    var busy = ringer.ask(each -> each.ringWhenOpen(bell, 1));
    Waits.await(arrived, "the called object");

    grid.kill(0);
    gate.countDown();

    assertThat(answer(ringer, Ringer::state)).isEqualTo(List.of(10, 0));
    assertThat(valueOf(busy, "the call")).isEqualTo(10);
    assertThat(calls.get()).isEqualTo(1);
    kill(ringer.node().name());
    assertThat(answer(ringer, Ringer::state)).isEqualTo(List.of(10, 0));
    assertThat(calls.get()).isEqualTo(1);
  }

  @Test
  void aCallThatIsRetriedIsAnsweredAfterTheLoss() {
    var options =
        Options.STANDARD.withKeep(Keep.state(store())).withRestart(Restart.elsewhere().retrying());
    var bell = ActiveObjects.on(grid.get(1)).create(Bell.class);
    var ringer =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Ringer.class));
    assertThat(ringer.stub().ring(bell, 1)).isEqualTo(10);
    valueOf(ringer.checkpoint(), "an image");
    var busy = ringer.ask(each -> each.ringWhenOpen(bell, 1));
    Waits.await(arrived, "the called object");

    grid.kill(0);
    gate.countDown();

    assertThat(valueOf(busy, "the call, which is served again")).isEqualTo(20);
    assertThat(calls.get()).as("the first call, and the second one twice").isEqualTo(3);
    assertThat(ringer.stub().ring(bell, 1)).isEqualTo(30);
  }

  @Test
  void theLastRequestOfAnIdleObjectIsKeptWhateverItsNodesEndBy() {
    var counter = counter(Keep.calls(store()));
    counter.stub().add(1);
    List<String> hosts = new CopyOnWriteArrayList<>(List.of(grid.get(0).name()));
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.REVIVED) {
            hosts.add(node.name());
          }
        });
    for (var i = 1; i <= 4; i++) {
      var count = i;
      grid.join();
      kill(hosts.getLast());
      Waits.until(() -> hosts.size() > count, "restart " + count);
    }
    assertThat(answer(counter, each -> each.add(1))).isEqualTo(2);
  }

  @Test
  void aRequestThatEndsThreeNodesIsSetAside(LogRecords records) {
    records.allow(Level.WARNING, "was set aside");
    var counter = counter(Keep.calls(store()));
    grid.join();
    grid.join();
    counter.stub().add(1);
    Map<String, Boolean> ended = new ConcurrentHashMap<>();
    poison =
        () -> {
          var node = ActiveObjects.node().name();
          ended.put(node, true);
          Faults.happen(() -> kill(node));
          Waits.await(gate, "the end of the test"); // a killed process does not go on
        };

    var deadly = counter.ask(Counter::endItsNode);

    assertThat(failureOf(deadly, "the deadly call"))
        .isInstanceOf(RestartedException.class)
        .hasMessageContaining("Counter.endItsNode(..) was set aside: the node of a Counter")
        .hasMessageContaining("ended 3 times in succession while it was served (node 'node-1'");
    assertThat(answer(counter, each -> each.add(1))).isEqualTo(2);
    assertThat(ended).hasSize(3);
  }
}
