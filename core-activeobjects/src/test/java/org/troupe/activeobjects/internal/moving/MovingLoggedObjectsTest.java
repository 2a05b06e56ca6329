package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OwnFailures;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.testing.LogRecords;

/** Objects that are kept by their calls move, and their logs follow them. */
@Timeout(120)
class MovingLoggedObjectsTest {

  private static final int CALLS = 50;

  private final OwnFailures failures = OwnFailures.of(MovingLoggedObjectsTest.class);
  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Enters numbers. */
  public static class Ledger {
    private final Map<String, List<Integer>> entries = new HashMap<>();
    private CompletableFuture<Integer> promised;

    public int enter(String sender, int number) {
      note(sender, number);
      return number;
    }

    public void note(String sender, int number) {
      entries.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
    }

    public List<Integer> entries(String sender) {
      return List.copyOf(entries.getOrDefault(sender, List.of()));
    }

    public String place() {
      return ActiveObjects.node().name();
    }

    public void tellEach(Ledger other, String sender, int count) {
      for (var i = 0; i < count; i++) {
        other.note(sender, i);
      }
    }

    public int askEach(Ledger other, String sender, int count) {
      var sum = 0;
      for (var i = 0; i < count; i++) {
        sum += other.enter(sender, i);
      }
      return sum;
    }

    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public int waitAndAnswer(String gate) {
      waitAt(gate);
      return 7;
    }

    public void askWithoutWaiting(Ledger other, String gate) {
      ActiveObjects.ref(other).ask(each -> each.waitAndAnswer(gate));
    }

    public void promise(Ledger other, String gate) {
      promised = ActiveObjects.ref(other).ask(each -> each.waitAndAnswer(gate));
    }

    public CompletableFuture<Integer> delegate(Ledger other, String gate) {
      return ActiveObjects.ref(other).ask(each -> each.waitAndAnswer(gate));
    }

    public boolean isPromised() {
      return promised != null;
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted");
    records.allow(Level.WARNING, "has failed");
    ActiveObjects.onFailure(failures);
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    RestartStep.follow(null);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Options kept(Restart restart) {
    return kept(Store.directory(folder.resolve("store")), restart);
  }

  private static Options kept(Store store, Restart restart) {
    return Options.STANDARD.withKeep(Keep.calls(store)).withRestart(restart);
  }

  private Ref<Ledger> ledger(int host, Options options) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(host)).with(options).create(Ledger.class));
  }

  private Ref<Ledger> ledger(int host) {
    return ledger(host, kept(Restart.elsewhere()));
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  private void move(Ref<?> object, int host) {
    valueOf(object.move(node(host)), "a move to node " + host);
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void theLogFollowsTheObject() throws IOException {
    var ledger = ledger(0);
    for (var i = 0; i < 7; i++) {
      assertThat(ledger.stub().enter("main", i)).isEqualTo(i);
      move(ledger, (i + 1) % 3);
      assertThat(ledger.stub().place()).isEqualTo("node-" + ((i + 1) % 3 + 1));
    }
    ledger.stub().note("main", 7);
    valueOf(ledger.checkpoint(), "an image");
    ledger.stub().note("main", 8);
    grid.kill(1);
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(9));
    move(ledger, 2);
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(9));
    valueOf(ledger.terminate(), "the end");
    try (var all = Files.list(folder.resolve("store").resolve("journals"))) {
      assertThat(all).isEmpty();
    }
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void everyCallIsServedOnceAndInOrderWhileTheObjectMoves() {
    for (var restart : List.of(Restart.elsewhere(), Restart.here(), Restart.never())) {
      var ledger = ledger(0, kept(restart));
      var logged = ledger(1);
      var plain = ledger(2, Options.STANDARD);
      var near = ledger(0, Options.STANDARD);
      List<CompletableFuture<?>> all = new ArrayList<>();
      all.add(logged.ask(each -> each.askEach(ledger.stub(), "logged", CALLS)));
      all.add(plain.tell(each -> each.tellEach(ledger.stub(), "plain", CALLS)));
      all.add(near.ask(each -> each.askEach(ledger.stub(), "near", CALLS)));
      for (var i = 0; i < CALLS; i++) {
        var number = i;
        all.add(ledger.ask(each -> each.enter("main", number)));
        if (i % 10 == 5) {
          move(ledger, 1 + i / 10 % 3 == 3 ? 0 : 1 + i / 10 % 3);
        }
      }
      all.forEach(each -> valueOf(each, "a call"));
      for (var sender : List.of("logged", "plain", "near", "main")) {
        assertThat(ledger.stub().entries(sender)).as(sender).isEqualTo(numbers(CALLS));
      }
    }
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void theCallsOfAnObjectThatMovesAreServedOnce() {
    for (var target :
        List.of(ledger(2), ledger(2, Options.STANDARD), ledger(0, Options.STANDARD))) {
      var clerk = ledger(0);
      for (var i = 0; i < CALLS; i++) {
        var number = i;
        clerk.tell(each -> each.tellEach(target.stub(), "clerk " + number, 3));
        if (i % 10 == 5) {
          move(clerk, i / 10 % 2 + 1);
        }
      }
      valueOf(clerk.tell(each -> each.tellEach(target.stub(), "last", 1)), "the last request");
      move(clerk, 0);
      for (var i = 0; i < CALLS; i++) {
        assertThat(target.stub().entries("clerk " + i)).as("clerk " + i).isEqualTo(numbers(3));
      }
    }
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void aPlainObjectOfTheSameNodeThatMovesAwayKnowsTheCallsThatAreMadeAgain() {
    var clerk = ledger(0);
    var plain = ledger(0, Options.STANDARD);
    valueOf(clerk.tell(each -> each.tellEach(plain.stub(), "clerk", 3)), "the request");
    move(plain, 1);
    assertThat(plain.stub().entries("clerk")).isEqualTo(numbers(3));
    grid.kill(0);
    assertThat(clerk.stub().place()).isNotEqualTo("node-1"); // it was made again
    assertThat(plain.stub().entries("clerk")).isEqualTo(numbers(3));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void anImageHasTheCallsThatAreOnTheirWayToAPlainObjectWhichHasLeftTheNode() {
    grid.close();
    var transport = new FaultyTransport();
    grid = InProcessGrid.start(3, transport);
    var clerk = ledger(0);
    var plain = ledger(1, Options.STANDARD.withQueueBound(10));
    move(plain, 0);
    valueOf(clerk.tell(each -> each.tellEach(plain.stub(), "near", 1)), "a call on the node");
    move(plain, 1);
    transport.keep(1, 2); // from the first node to the second one
    valueOf(clerk.tell(each -> each.tellEach(plain.stub(), "far", 3)), "the calls on their way");
    valueOf(clerk.checkpoint(), "an image");
    grid.kill(0);
    transport.letThrough();
    assertThat(clerk.stub().askEach(plain.stub(), "far", 1)).isZero();
    assertThat(plain.stub().entries("near")).isEqualTo(numbers(1));
    assertThat(plain.stub().entries("far")).containsExactly(0, 1, 2, 0);
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void callersOnTheFormerNodeLoseNothingWhenTheNextOneIsLost() {
    var ledger = ledger(0);
    var near = ledger(0, Options.STANDARD);
    move(ledger, 1);
    var gate = "near";
    ledger.stub().waitAt(gate);
    var answers = near.ask(each -> each.askEach(ledger.stub(), "asked", 1));
    near.stub().tellEach(ledger.stub(), "told", CALLS);
    grid.kill(1);
    Cell.gate(gate).countDown();
    assertThat((int) valueOf(answers, "an answer")).isZero();
    valueOf(near.tell(each -> each.place()), "the end of the request before");
    assertThat(near.ask(each -> each.askEach(ledger.stub(), "asked again", 2)).join()).isEqualTo(1);
    assertThat(ledger.stub().entries("asked")).isEqualTo(numbers(1));
    assertThat(ledger.stub().entries("told")).isEqualTo(numbers(CALLS));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void theLossOfTheFormerNodeLosesNoCall() {
    var ledger = ledger(0);
    var gate = "former";
    ledger.stub().waitAt(gate);
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    var move = ledger.move(node(1));
    for (var i = 0; i < CALLS; i++) {
      var number = i;
      answers.add(ledger.ask(each -> each.enter("main", number)));
      ledger.stub().note("told", i);
    }
    Cell.gate(gate).countDown();
    valueOf(move, "a move");
    grid.kill(0);
    answers.forEach(each -> valueOf(each, "an answer"));
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(CALLS));
    assertThat(ledger.stub().entries("told")).isEqualTo(numbers(CALLS));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void callsThatFollowTheObjectSurviveTheLossOfTheNodeThatItLeaves() {
    var ledger = ledger(0);
    var callers = Map.of("plain", ledger(0, Options.STANDARD), "logged", ledger(0));
    move(ledger, 1);
    var gate = "left";
    ledger.stub().waitAt(gate);
    awaitQueued(ledger, 1, 0);
    Map<String, CompletableFuture<Integer>> answers = new HashMap<>();
    callers.forEach(
        (name, caller) ->
            answers.put(name, caller.ask(each -> each.askEach(ledger.stub(), name, 1))));
    awaitQueued(ledger, 1, answers.size());
    killAt(MoveStep.RELOCATED, 1);
    var move = ledger.move(node(2));
    Cell.gate(gate).countDown();
    answers.forEach((name, each) -> assertThat((int) valueOf(each, name)).isZero());
    valueOf(move, "a move");
    for (var name : callers.keySet()) {
      assertThat(ledger.stub().entries(name)).as(name).isEqualTo(numbers(1));
    }
    assertThat(ledger.stub().place()).isEqualTo("node-3");
    assertThat(failures.all()).isEmpty();
  }

  /** Waits until an object serves a request on a node, and some others are in its queue there. */
  private void awaitQueued(Ref<?> object, int host, int requests) {
    var target = Reference.require(object.stub()).target();
    Waits.until(
        () -> {
          var body = grid.member(host).node().moved().here(target.birth(), target.number());
          return body != null && body.inService() != null && body.queued() == requests;
        },
        requests + " requests in the queue");
  }

  /** Kills a node when it comes to a step. */
  private void killAt(MoveStep step, int host) {
    var doomed = node(host);
    var isOver = new AtomicBoolean();
    MoveStep.follow(
        (at, where) -> {
          if (at == step && where.equals(doomed) && !isOver.getAndSet(true)) {
            Faults.happen(() -> grid.kill(host));
          }
        });
  }

  @Test
  void oneWayCallsThatAFormerNodeHasPassedOnAreInNoAccountOfThatNode() {
    var near = ledger(0, Options.STANDARD);
    var ledger = ledger(0);
    move(ledger, 1);
    ledger.stub().note("main", 0); // by way of node 0, where this node still takes it to be
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(1));
    near.stub().note("main", 0);
    near.stub().place();
    grid.kill(0);
    Waits.until(
        () -> near.ask(Ledger::place).handle((place, lost) -> lost != null).join(), "the loss");
    near.end().join();
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(1));
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void anUnansweredCallIsLeftBehindAndOneWhoseResultIsKeptPreventsTheMove() {
    var slow = ledger(2);
    var ledger = ledger(0);
    ledger.stub().askWithoutWaiting(slow.stub(), "slow");
    move(ledger, 1);
    assertThat(ledger.stub().place()).isEqualTo("node-2");
    valueOf(ledger.tell(each -> each.promise(slow.stub(), "slower")), "the request before");
    assertThat(failureOf(ledger.move(node(0)), "a move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("promised")
        .hasMessageEndingWith("it goes on where it is");
    assertThat(ledger.stub().isPromised()).isTrue();
    Cell.gate("slow").countDown();
    Cell.gate("slower").countDown();
    valueOf(slow.ask(Ledger::place), "the calls before");
    Waits.until(
        () -> ledger.move(node(0)).handle((done, failure) -> failure == null).join(), "a move");
    assertThat(ledger.stub().place()).isEqualTo("node-1");
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void aMoveWaitsForAResultThatTheObjectHasAnsweredWith() {
    var slow = ledger(2);
    var ledger = ledger(0);
    var delegated = ledger.ask(each -> each.delegate(slow.stub(), "delegated"));
    assertThat(failureOf(ledger.move(node(1), Duration.ofMillis(50)), "a move"))
        .hasMessageContaining("a result that it had answered with had not arrived after PT0.05S");
    var move = ledger.move(node(1));
    Cell.gate("delegated").countDown();
    valueOf(move, "a move");
    assertThat(valueOf(delegated, "the result")).isNotNull();
  }

  @Test
  void aSleepingObjectMoves() {
    var asleep = new CountDownLatch(1);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            asleep.countDown();
          }
        });
    var ledger = ledger(0, kept(Restart.elsewhere()).withIdle(Duration.ofMillis(10)));
    ledger.stub().note("main", 0);
    Waits.await(asleep, "the sleep");
    RestartStep.follow(null);
    move(ledger, 1);
    assertThat(ledger.stub().entries("main")).isEqualTo(numbers(1));
    assertThat(ledger.stub().place()).isEqualTo("node-2");
  }

  @Test
  void keptObjectsMoveWhenTheirNodeLeaves() {
    for (var restart : List.of(Restart.elsewhere(), Restart.never())) {
      var ledger = ledger(0, kept(restart));
      ledger.stub().note("main", 0);
      var clerk = ledger(1, Options.STANDARD);
      var told = clerk.tell(each -> each.tellEach(ledger.stub(), "clerk", CALLS));
      valueOf(grid.nodes().release(grid.get(0)), "the release");
      valueOf(told, "the calls");
      assertThat(ledger.stub().entries("main")).isEqualTo(numbers(1));
      assertThat(ledger.stub().entries("clerk")).isEqualTo(numbers(CALLS));
      assertThat(ledger.stub().place()).isNotEqualTo("node-1");
      grid.close();
      grid = InProcessGrid.start(3);
    }
    assertThat(failures.all()).isEmpty();
  }

  /** A store that fails to open a journal again as often as it is told. */
  record FailingStore(Store.Directory directory, AtomicInteger left) implements Store {
    @Override
    public Journals open(StoreUser user) throws IOException {
      return new FailingJournals(directory.open(user), left);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      return new FailingJournals(directory.openExisting(user), left);
    }
  }

  /** The journals of such a store. */
  record FailingJournals(Journals journals, AtomicInteger left) implements Journals {
    @Override
    public Journal open(String name, long epoch) throws IOException {
      if (epoch > 0 && left.getAndDecrement() > 0) {
        throw new IOException("the disk is away");
      }
      return journals.open(name, epoch);
    }

    @Override
    public java.util.OptionalLong epoch(String name) throws IOException {
      return journals.epoch(name);
    }

    @Override
    public java.util.Set<String> names() throws IOException {
      return journals.names();
    }

    @Override
    public void delete(String name) throws IOException {
      journals.delete(name);
    }

    @Override
    public void close() throws IOException {
      journals.close();
    }
  }

  @Test
  void anErrorOfTheStoreAfterTheGrantIsAFailureThatRestartsTheObject() {
    for (var logs : List.of(true, false)) {
      for (var restart : List.of(Restart.here(), Restart.elsewhere())) {
        var store = new FailingStore(Store.directory(folder.resolve("s")), new AtomicInteger(2));
        var keep = logs ? Keep.calls(store) : Keep.state(store);
        var ledger = ledger(0, Options.STANDARD.withKeep(keep).withRestart(restart));
        ledger.stub().note("main", 0);
        move(ledger, 1);
        ledger.stub().note("main", 1);
        assertThat(ledger.stub().place()).isEqualTo("node-2");
        assertThat(ledger.stub().entries("main")).isEqualTo(numbers(2));
      }
    }
  }

  @Test
  void anErrorOfTheStoreAfterTheGrantEndsAnObjectThatIsNotRestarted() {
    var store = new FailingStore(Store.directory(folder.resolve("s")), new AtomicInteger(1));
    var ledger = ledger(0, Options.STANDARD.withKeep(Keep.calls(store)));
    ledger.stub().note("main", 0);
    assertThat(failureOf(ledger.move(node(1)), "a move"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("it could not take over its journal: ")
        .hasMessageContaining("the disk is away");
    assertThat(failureOf(ledger.ask(Ledger::place), "a call"))
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining("the disk is away");
  }
}
