package org.troupe.activeobjects.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LoggedCallers;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.store.DirectoryJournals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.testing.LogRecords;

/**
 * A logged object accounts neither for callers that have ended, alone or with their nodes, nor for
 * all objects that it has called.
 */
@Timeout(120)
class ForgottenAccountsTest {

  private static final int MOST_CALLED = 1_000;

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Counts. */
  public static class Counter {
    private int sum;

    public int add(int number) {
      sum += number;
      return sum;
    }

    public void note(int number) {
      sum += number;
    }
  }

  /** Calls a counter. */
  public static class Caller {
    public int add(Counter counter, int number) {
      return counter.add(number);
    }
  }

  /** Calls a counter a few times, and ends. */
  public static class ShortLived {
    public int work(Counter counter) {
      counter.note(1);
      var sum = counter.add(1);
      counter.note(1);
      return sum;
    }

    public void leave(Counter counter) {
      counter.note(3);
    }
  }

  /** Works for a short time. */
  public static class Worker {
    private int noted;

    public void note(int number) {
      noted = number;
    }

    @Immediate
    public void poke() {}

    public int doubled() {
      return 2 * noted;
    }
  }

  /** Lets workers work, and a counter count. */
  public static class Master {
    private int sum;

    public int employ(Node node, int workers) {
      for (var i = 0; i < workers; i++) {
        var worker = ActiveObjects.once(() -> ActiveObjects.on(node).create(Worker.class));
        worker.note(3);
        worker.poke();
        sum += worker.doubled();
        ActiveObjects.once(() -> ActiveObjects.ref(worker).terminate().join().how());
      }
      return sum;
    }

    public void tell(Worker worker, int count) {
      for (var i = 0; i < count; i++) {
        worker.note(i);
      }
    }

    public int ask(Worker worker) {
      return worker.doubled();
    }

    public int count(Counter counter, int number) {
      return counter.add(number);
    }
  }

  /**
   * Reads calls and outcomes, which do not matter here.
   *
   * @param isCall whether they are calls, whose methods come first
   */
  private record Skipped(boolean isCall) implements LogCodec.Content<String> {
    @Override
    public void write(ByteOutput out, String value) {
      throw new AssertionError(value);
    }

    @Override
    public String read(ByteInput in) {
      var method = isCall ? in.readString() : "";
      return method + in.readBytes().length;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(4);
  }

  @AfterEach
  void end() {
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private <T> Ref<T> kept(Class<T> type, int node) {
    return LoggedCallers.kept(type, grid.get(node), folder);
  }

  /** Lets logged objects call a counter, and end; returns what they have added to it. */
  private int shortLived(Ref<Counter> counter, int node, int count) {
    var sum = 0;
    for (var i = 0; i < count; i++) {
      var caller = kept(ShortLived.class, node);
      if (i % 2 == 0) {
        valueOf(caller.ask(it -> it.work(counter.stub())), "the work of a caller");
      } else {
        caller.stub().leave(counter.stub());
      }
      sum += 3;
      valueOf(caller.terminate(), "the end of a caller");
    }
    return sum;
  }

  /** Waits until all nodes have told which callers have ended, and the object knows. */
  private void awaitNews(Ref<Counter> counter, int sum) {
    Waits.until(
        () -> valueOf(counter.ask(it -> it.add(0)), "a sum") == sum, "the calls of all callers");
    for (var i = 0; i < grid.list().size(); i++) {
      var callers = grid.member(i).node().moved().endedCallers();
      Waits.until(() -> callers.size() == 0, "the news of the ends of callers");
    }
  }

  /** Returns how many logged callers the only object of the store accounts for. */
  private long loggedCallers() throws IOException {
    return accounts().received().keySet().stream()
        .filter(each -> each instanceof CallOrigin.Logged)
        .count();
  }

  private Ref<Caller> caller(int node) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).create(Caller.class));
  }

  /** Returns the names of the nodes whose calls the only object of the store accounts for. */
  private Set<String> callers() throws IOException {
    var names = new TreeSet<String>();
    for (var each : accounts().received().keySet()) {
      if (each instanceof CallOrigin.Process(NodeId node)) {
        names.add(node.name());
      }
    }
    return names;
  }

  /** Returns the accounts of the only object of the store, after the end of the grid. */
  private LoggedObjectImage<String, String> accounts() throws IOException {
    grid.close();
    var user = new StoreUser("a test", 1, "localhost", Instant.now());
    try (var journals = DirectoryJournals.openExisting(folder, false, user)) {
      var name = journals.names().iterator().next();
      try (var journal = journals.open(name, journals.epoch(name).orElseThrow())) {
        var codec = new LogCodec<>(new Skipped(true), new Skipped(false));
        var accounts = ImageForm.accounts(journal.image().orElseThrow().content());
        return codec.readImage(accounts, "an image");
      }
    }
  }

  @Test
  void aCallerWhoseNodeWasLostIsForgottenByTheNextImage() throws IOException {
    var counter = kept(Counter.class, 0);
    assertThat((int) valueOf(caller(1).ask(it -> it.add(counter.stub(), 1)), "a sum")).isEqualTo(1);
    assertThat((int) valueOf(caller(2).ask(it -> it.add(counter.stub(), 2)), "a sum")).isEqualTo(3);
    valueOf(counter.checkpoint(), "an image");
    var lost = grid.member(0).node().peers().known(grid.get(1).id());
    grid.kill(1);
    Waits.until(lost::isLost, "the news of the loss");
    valueOf(counter.ask(it -> it.add(4)), "a sum");
    valueOf(counter.checkpoint(), "an image");
    assertThat(callers()).doesNotContain("node-2").contains("node-3");
  }

  @Test
  void anObjectThatIsMadeAgainForgetsCallersThatAreLostMeanwhile() throws IOException {
    var counter = kept(Counter.class, 0);
    assertThat((int) valueOf(caller(1).ask(it -> it.add(counter.stub(), 1)), "a sum")).isEqualTo(1);
    var third = caller(2);
    assertThat((int) valueOf(third.ask(it -> it.add(counter.stub(), 2)), "a sum")).isEqualTo(3);
    valueOf(counter.checkpoint(), "an image");
    grid.kill(1);
    grid.kill(0);
    assertThat((int) valueOf(third.ask(it -> it.add(counter.stub(), 4)), "a sum")).isEqualTo(7);
    valueOf(counter.checkpoint(), "an image");
    assertThat((int) valueOf(third.ask(it -> it.add(counter.stub(), 8)), "a sum")).isEqualTo(15);
    assertThat(callers()).doesNotContain("node-2").contains("node-3");
  }

  @Test
  void oneWayCallsToAnObjectThatIsLostWithItsNodeLeaveTheAccount() throws IOException {
    grid.close();
    var transport = new FaultyTransport();
    grid = InProcessGrid.start(2, transport);
    var worker = ActiveObjects.on(grid.get(1)).create(Worker.class);
    var master = kept(Master.class, 0);
    valueOf(master.ask(it -> it.ask(worker)), "a call with an answer");
    transport.keep(2, 1); // reports on calls that were taken
    valueOf(master.tell(it -> it.tell(worker, 3)), "one-way calls");
    valueOf(master.checkpoint(), "an image");
    var lost = grid.member(0).node().peers().known(grid.get(1).id());
    grid.kill(1);
    Waits.until(lost::isLost, "the news of the loss");
    var keeper = grid.member(0).node().objects().host().keeper();
    Waits.until( // an image asks the coordinator first whether the grid ends
        () -> {
          valueOf(master.checkpoint(), "an image");
          return keeper.logged().stream().allMatch(each -> each.log().lacking().isEmpty());
        },
        "an account without the calls");
    valueOf(master.checkpoint(), "an image");
    assertThat(accounts().sent().values())
        .singleElement()
        .satisfies(account -> assertThat(account.untaken()).isEmpty())
        .satisfies(account -> assertThat(account.made()).isEqualTo(4));
  }

  @Test
  void anObjectOfAnEarlierRunForgetsItsCallers() throws IOException {
    var logged = Options.STANDARD.withKeep(Keep.calls(Store.directory(folder)));
    var counter = ActiveObjects.on(grid.nodes()).with(logged).named("a", Counter.class);
    assertThat((int) valueOf(caller(3).ask(it -> it.add(counter, 1)), "a sum")).isEqualTo(1);
    grid.close();
    grid = InProcessGrid.resume(Store.directory(folder), 2);
    var again = ActiveObjects.on(grid.nodes()).with(logged).named("a", Counter.class);
    assertThat((int) valueOf(caller(1).ask(it -> it.add(again, 2)), "a sum")).isEqualTo(3);
    valueOf(ActiveObjects.ref(again).checkpoint(), "an image");
    assertThat(callers()).doesNotContain("node-4");
  }

  /** Returns the bytes of all files of the store. */
  private long bytes() throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aMasterOfManyWorkersForgetsThoseThatItDoesNotCallAnyMore(int workers) throws IOException {
    var master = kept(Master.class, 0);
    var node = grid.get(workers);
    for (var i = 1; i <= 100; i++) {
      var sum = 600 * i;
      assertThat((int) valueOf(master.ask(it -> it.employ(node, 100)), "a sum")).isEqualTo(sum);
    }
    valueOf(master.checkpoint(), "an image");
    assertThat(bytes()).isLessThan(MOST_CALLED * 150);
    assertThat(accounts().sent()).hasSizeLessThanOrEqualTo(MOST_CALLED);
  }

  @Test
  void aForgottenObjectServesLaterCallsOnceWhenItsCallerIsMadeAgain() throws IOException {
    var counter = ActiveObjects.on(grid.get(2)).create(Counter.class);
    var master = kept(Master.class, 0);
    var node = grid.get(1);
    assertThat((int) valueOf(master.ask(it -> it.count(counter, 1)), "a sum")).isEqualTo(1);
    valueOf(master.ask(it -> it.employ(node, MOST_CALLED)), "a sum");
    assertThat((int) valueOf(master.ask(it -> it.count(counter, 2)), "a sum")).isEqualTo(3);
    grid.kill(0);
    assertThat((int) valueOf(master.ask(it -> it.count(counter, 4)), "a sum")).isEqualTo(7);
    valueOf(master.ask(it -> it.employ(node, MOST_CALLED)), "a sum");
    valueOf(master.checkpoint(), "an image");
    assertThat((int) valueOf(master.ask(it -> it.count(counter, 8)), "a sum")).isEqualTo(15);
    assertThat(counter.add(0)).isEqualTo(15);
  }

  @ParameterizedTest
  @Timeout(300)
  @CsvSource({"0, 300", "1, 1000"})
  void aServiceForgetsLoggedCallersThatHaveEnded(int node, int count) throws IOException {
    var counter = kept(Counter.class, 0);
    var sum = shortLived(counter, node, count);
    awaitNews(counter, sum);
    valueOf(counter.checkpoint(), "an image");
    assertThat(bytes()).isLessThan(MOST_CALLED * 150);
    assertThat(loggedCallers()).isLessThan(100);
  }
}
