package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.ManualRestartClock;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.testing.LogRecords;

/** Objects whose node is lost are made anew on another node, and their callers find them. */
@Timeout(120)
class RestartElsewhereTest {

  private static final List<String> made = new CopyOnWriteArrayList<>(); // nodes, in order
  private static volatile CountDownLatch arrived;
  private static volatile CountDownLatch gate;
  private static volatile CountDownLatch constructorGate;

  private final List<Integer> killed = new ArrayList<>();
  private InProcessGrid grid;

  /** Counts, and says where it is. */
  public static class Worker implements LifeCycle {
    private final List<Integer> numbers;
    private final Worker other;

    public Worker(List<Integer> first, Worker other) {
      made.add(ActiveObjects.node().name());
      Waits.await(constructorGate, "the constructor");
      first.add(0); // its argument is its own
      numbers = first;
      this.other = other;
    }

    public int add(int number) {
      numbers.add(number);
      return numbers.size();
    }

    public void addOneWay(int number) {
      numbers.add(number);
    }

    public List<Integer> numbers() {
      return new ArrayList<>(numbers);
    }

    public String place() {
      return ActiveObjects.node().name();
    }

    public String placeOfOther() {
      return other.place();
    }

    public int pass(int number) {
      arrived.countDown();
      Waits.await(gate, "the gate");
      return number;
    }

    public int fail() throws IOException {
      throw new IOException("no disk");
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    made.clear();
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    constructorGate = new CountDownLatch(0);
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    gate.countDown();
    constructorGate.countDown();
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Ref<Worker> worker(int node, Restart restart) {
    return worker(node, restart, null);
  }

  private Ref<Worker> worker(int node, Restart restart, Worker other) {
    return ActiveObjects.ref(
        ActiveObjects.on(grid.get(node))
            .with(Options.STANDARD.withRestart(restart))
            .create(Worker.class, new ArrayList<>(List.of(7)), other));
  }

  /** Kills a node, and waits until all others have applied its death. */
  private void kill(int index) {
    grid.kill(index);
    awaitLoss(index);
  }

  private void awaitLoss(int index) {
    killed.add(index);
    var dead = grid.get(index).id();
    var others =
        IntStream.range(0, grid.list().size())
            .filter(each -> !killed.contains(each))
            .mapToObj(each -> grid.member(each))
            .collect(Collectors.toCollection(ArrayList::new));
    others.add(grid.coordinator());
    for (var each : others) {
      var peers = each.node().peers();
      Waits.until(
          () -> peers.known(dead) instanceof Peer peer && peer.isLost(), "the death of " + dead);
    }
  }

  private static <T> T value(CompletableFuture<T> future) {
    return valueOf(future, "a call");
  }

  @Test
  void anObjectIsConstructedAnewOnAnotherNodeOfItsVirtualNode() {
    var worker = worker(0, Restart.elsewhere());
    assertThat(worker.stub().add(1)).isEqualTo(3);

    kill(0);

    assertThat(worker.stub().numbers()).containsExactly(7, 0);
    assertThat(worker.stub().place()).isIn("node-2", "node-3");
    assertThat(worker.node().name()).isEqualTo(worker.stub().place());
    assertThat(made).containsExactly("node-1", worker.stub().place());
    assertThat(worker.end().isDone()).isFalse();
  }

  @Test
  void aCallThatIsUnansweredAtTheLossEndsAndLaterOnesWait() {
    var worker = worker(0, Restart.elsewhere());
    var busy = worker.ask(it -> it.pass(1));
    Waits.await(arrived, "the object being busy");
    var waiting = worker.ask(it -> it.add(2));

    kill(0);

    for (var each : List.of(busy, waiting)) {
      assertThat(failureOf(each, "a call at the loss"))
          .isInstanceOf(RestartedException.class)
          .hasMessageStartingWith("a Worker was lost with node 'node-1'")
          .hasMessageEndingWith("was served is unknown");
    }
    var later = IntStream.range(0, 100).mapToObj(i -> worker.ask(it -> it.add(i))).toList();
    assertThat(later.stream().map(RestartElsewhereTest::value))
        .containsExactlyElementsOf(IntStream.range(3, 103).boxed().toList());
    assertThat(worker.stub().numbers().subList(2, 102))
        .isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void aTerminationThatIsLostWithTheNodeIsSentAgain() {
    var worker = worker(0, Restart.elsewhere());
    var busy = worker.ask(it -> it.pass(1));
    Waits.await(arrived, "the object being busy");
    var end = worker.terminate();

    kill(0);

    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.TERMINATED);
    assertThat(failureOf(busy, "a call at the loss")).isInstanceOf(RestartedException.class);
  }

  @Test
  void callsFromOtherNodesAndReferencesMadeBeforeFindIt() {
    var worker = worker(0, Restart.elsewhere());
    var friend = worker(1, Restart.never(), worker.stub());
    assertThat(friend.stub().placeOfOther()).isEqualTo("node-1");

    kill(0);

    assertThat(friend.stub().placeOfOther()).isIn("node-2", "node-3");
    assertThat(friend.stub().placeOfOther()).isEqualTo(worker.stub().place());
    var later = worker(2, Restart.never(), worker.stub());
    assertThat(later.stub().placeOfOther()).isEqualTo(worker.stub().place());
  }

  @Test
  void noInstanceIsMadeBeforeEachMemberHasAppliedTheDeath() {
    var clock = new ManualRestartClock();
    var before = NodeRuntime.main().objects().restartBy(clock);
    try {
      var worker = worker(0, Restart.elsewhere());
      var slow = grid.get(1).id();
      var others = new CountDownLatch(2); // the third node, and the coordinator
      RestartStep.follow(
          (step, node) -> {
            if (step == RestartStep.DEATH_TOLD && node.equals(slow)) {
              Waits.await(gate, "the other nodes");
            } else if (step == RestartStep.DEATH_ACKNOWLEDGED && !node.equals(slow)) {
              others.countDown();
            }
          });
      grid.kill(0);
      Waits.await(others, "the acknowledgements of the others");
      assertThat(clock.isPausing()).as("whether the restart has begun").isFalse();

      gate.countDown();
      clock.endPause();

      assertThat(valueOf(placeOf(worker), "a call")).isIn("node-2", "node-3");
    } finally {
      NodeRuntime.main().objects().restartBy(before);
    }
  }

  /** Asks for the place; the first call may be unanswered at the loss. */
  private static CompletableFuture<String> placeOf(Ref<Worker> worker) {
    return worker
        .ask(Worker::place)
        .exceptionallyCompose(
            failure -> {
              assertThat(failure).isInstanceOf(RestartedException.class);
              return worker.ask(Worker::place);
            });
  }

  @Test
  void anObjectIsRestartedAgainAndAgain() {
    var worker = worker(0, Restart.elsewhere());
    for (var i = 0; i < 3; i++) {
      var place = worker.stub().place();
      if (i > 0) {
        grid.join();
      }
      kill(grid.list().stream().map(each -> each.name()).toList().indexOf(place));
      assertThat(worker.stub().place()).isNotEqualTo(place);
      assertThat(worker.stub().numbers()).containsExactly(7, 0);
    }
    assertThat(made).hasSize(4);
  }

  @Test
  void anObjectThatHasMovedIsRestartedFromItsConstructor() {
    var worker = worker(0, Restart.elsewhere().on(IOException.class));
    worker.stub().add(5);
    value(worker.move(grid.get(1).id()));
    assertThat(worker.stub().numbers()).containsExactly(7, 0, 5);

    kill(1);

    assertThat(worker.stub().numbers()).containsExactly(7, 0);
    assertThat(worker.stub().place()).isIn("node-1", "node-3");
  }

  @Test
  void anObjectThatIsRestartedHereCanMove(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    var worker = worker(0, Restart.here().on(IOException.class));
    worker.stub().add(5);
    value(worker.move(grid.get(1).id()));
    assertThat(worker.stub().numbers()).containsExactly(7, 0, 5);

    assertThatThrownBy(worker.stub()::fail).isInstanceOf(IOException.class);

    assertThat(worker.stub().numbers()).containsExactly(7, 0);
    assertThat(worker.stub().place()).isEqualTo("node-2");
  }

  @Test
  void aFailureInTheRequestRestartsItOnItsNode(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    var worker = worker(0, Restart.elsewhere().on(IOException.class));
    worker.stub().add(5);
    assertThatThrownBy(worker.stub()::fail).isInstanceOf(IOException.class);
    assertThat(worker.stub().numbers()).containsExactly(7, 0);
    assertThat(worker.stub().place()).isEqualTo("node-1");
  }

  @Test
  void failuresOnANodeCountAfterALoss(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    var worker =
        worker(0, Restart.elsewhere().on(IOException.class).times(2, Duration.ofMinutes(1)));
    assertThatThrownBy(worker.stub()::fail).isInstanceOf(IOException.class);
    worker.stub().add(1);
    kill(0);
    assertThat(worker.stub().numbers()).containsExactly(7, 0);

    assertThatThrownBy(worker.stub()::fail).isInstanceOf(IOException.class);

    var end = valueOf(worker.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.FAILED);
    assertThat(end.why())
        .contains("has failed 3 times within PT1M: ")
        .contains("threw java.io.IOException: no disk x2", "node 'node-1' is gone");
    assertThatThrownBy(worker.stub()::place) // a retry elsewhere would be of no use
        .isInstanceOf(ObjectTerminatedException.class)
        .hasMessageContaining(end.why());
  }

  @Test
  void anObjectWhoseNodesAreLostTooOftenIsGivenUp(LogRecords records) {
    records.allow(Level.WARNING, "has failed 2 times");
    var worker = worker(0, Restart.elsewhere().times(1, Duration.ofMinutes(1)));
    var ends = worker.end();
    kill(0);
    var place = worker.stub().place();
    kill(place.equals("node-2") ? 1 : 2);

    var end = valueOf(ends, "the end");
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.why()).startsWith("a Worker has failed 2 times within PT1M: node 'node-1'");
    assertThat(end.exitReport()).isPresent();
    assertThat(valueOf(worker.end(), "the end, asked for later")).isEqualTo(end);
    assertThatThrownBy(worker.stub()::place)
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining(end.why());
  }

  @Test
  void withoutANodeTheRestartWaitsForOne() {
    var worker = worker(0, Restart.elsewhere());
    kill(1);
    kill(2);
    kill(0);
    var waiting = worker.ask(Worker::place);
    var limited = worker.within(Duration.ofMillis(50)).ask(it -> it.add(1));
    assertThat(failureOf(limited, "a call with a limit")).isInstanceOf(CallTimeoutException.class);
    assertThat(waiting.isDone()).isFalse();

    grid.join();

    assertThat(valueOf(waiting, "the waiting call")).isEqualTo("node-4");
    assertThat(worker.stub().numbers()).as("without the late call").containsExactly(7, 0);
  }

  @Test
  void withoutANodeForTooLongTheEndSaysSo(LogRecords records) {
    grid.close();
    System.setProperty("troupe.restart.wait", "PT0.2S");
    try {
      grid = InProcessGrid.start(1);
    } finally {
      System.clearProperty("troupe.restart.wait");
    }
    records.allow(Level.WARNING, "no node of virtual node");
    var worker = worker(0, Restart.elsewhere());
    var ends = worker.end();
    kill(0);
    var waiting = worker.ask(Worker::place);

    var end = valueOf(ends, "the end");
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.why())
        .startsWith("a Worker was lost with node 'node-1'")
        .endsWith(
            "and no node of virtual node 'local' was there within PT0.2S on which it could be"
                + " restarted; start more nodes, or give a longer troupe.restart.wait");
    assertThat(failureOf(waiting, "the waiting call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessage(end.why());
    assertThat(valueOf(worker.end(), "the end, asked for later")).isEqualTo(end);
  }

  @Test
  void callersWaitInOrderUpToABound() {
    var worker = worker(0, Restart.elsewhere());
    kill(1);
    kill(2);
    kill(0);
    var most = 10_000;
    for (var i = 0; i < most; i++) {
      worker.stub().addOneWay(i);
    }
    assertThatThrownBy(() -> worker.within(Duration.ofMillis(50)).stub().addOneWay(-1))
        .isInstanceOf(CallTimeoutException.class)
        .hasMessageContaining("was not sent");
    var blocked =
        Waits.onPlatformThread(
            () -> {
              worker.stub().addOneWay(most);
              return true;
            });
    var asked = worker.ask(Worker::numbers); // never blocks

    grid.join();

    assertThat(valueOf(blocked, "the call beyond the bound")).isTrue();
    assertThat(valueOf(asked, "the call that does not wait").subList(2, most + 2))
        .isEqualTo(IntStream.range(0, most).boxed().toList());
    assertThat(worker.stub().numbers()).hasSize(most + 3);
  }

  @Test
  void aConstructorThatFailsThereIsTriedAgain(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    var worker =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(0))
                .with(Options.STANDARD.withRestart(Restart.elsewhere()))
                .create(Picky.class));
    Picky.toFail.set(2);
    kill(0);
    assertThat(worker.stub().place()).isIn("node-2", "node-3");
    assertThat(Picky.toFail.get()).isZero();
  }

  /** Fails to be constructed a number of times. */
  public static class Picky {
    private static final AtomicInteger toFail = new AtomicInteger();

    public Picky() {
      if (toFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IllegalStateException("no disk");
      }
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  @Test
  void manyObjectsAreSharedOutAndMadeAFewAtATime() {
    var count = 60;
    var workers = IntStream.range(0, count).mapToObj(i -> worker(0, Restart.elsewhere())).toList();
    made.clear();
    constructorGate = new CountDownLatch(1);
    kill(0);
    Waits.until(() -> made.size() >= 4, "the first constructors");
    assertThat(made)
        .as("two for each of the two processors")
        .containsExactlyInAnyOrder("node-2", "node-2", "node-3", "node-3");
    constructorGate.countDown();

    var places = workers.stream().map(each -> each.stub().place()).toList();
    assertThat(made)
        .as("the faster node may have made more")
        .containsExactlyInAnyOrderElementsOf(places);
  }

  @Test
  void callersThatHaveAnAlternativeAreRefusedMeanwhile() {
    var worker = worker(0, Restart.elsewhere().failingFast());
    kill(1);
    kill(2);
    kill(0);

    assertThatThrownBy(worker.stub()::place)
        .isInstanceOf(RestartedException.class)
        .hasMessageContaining("is being restarted");
    assertThatThrownBy(worker.stub()::place).isInstanceOf(RestartedException.class);

    grid.join();
    Waits.until(() -> made.size() == 2, "the restart");
    Waits.until(() -> isServed(worker), "the object being served");
    assertThat(worker.stub().place()).isEqualTo("node-4");
  }

  private static boolean isServed(Ref<Worker> worker) {
    try {
      worker.ask(Worker::place).join();
      return true;
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(RestartedException.class);
      return false;
    }
  }

  @Test
  void aConstructorThatEndsThreeNodesIsNotTriedAgain(LogRecords records) {
    records.allow(Level.WARNING, "is given up");
    for (var i = 0; i < 2; i++) {
      grid.join();
    }
    var worker = worker(0, Restart.elsewhere());
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.MAKING) {
            var index = grid.list().stream().map(each -> each.id()).toList().indexOf(node);
            Thread.startVirtualThread(() -> grid.kill(index));
            Waits.await(gate, "the end of the test");
          }
        });
    kill(0);

    var end = valueOf(worker.end(), "the end");
    assertThat(end.how()).isEqualTo(End.How.LOST);
    assertThat(end.why())
        .startsWith(
            "a Worker is given up: its node ended 3 times in succession while it was made anew: ");
    assertThat(made).as("the nodes on which it was made").containsExactly("node-1");
    assertThat(failureOf(worker.ask(Worker::place), "a call"))
        .isInstanceOf(NodeLostException.class)
        .hasMessageContaining("3 times in succession");
  }

  @Test
  void anObjectThatWasTerminatedStaysSo() {
    var worker = worker(0, Restart.elsewhere());
    assertThat(valueOf(worker.terminate(), "the end").how()).isEqualTo(End.How.TERMINATED);
    kill(0);
    assertThat(failureOf(worker.ask(Worker::place), "a call"))
        .isInstanceOf(ObjectTerminatedException.class);
    assertThat(made).hasSize(1);
  }

  @Test
  void linksSurviveRestartsOfBothEnds() {
    var one = worker(0, Restart.elsewhere());
    var two = worker(1, Restart.elsewhere());
    value(one.linkTo(two));
    kill(0);
    assertThat(one.stub().place()).isIn("node-2", "node-3");
    assertThat(two.end().isDone()).isFalse();
    grid.join();
    kill(1);
    assertThat(one.stub().numbers()).containsExactly(7, 0);
    assertThat(two.stub().numbers()).containsExactly(7, 0);

    var watched = worker(2, Restart.never());
    value(watched.linkTo(two));
    grid.join();
    kill(2);

    assertThat(valueOf(two.end(), "the end of a linked object").why())
        .startsWith("an object that it was linked to has ended: node 'node-3' is gone");
    assertThat(valueOf(one.end(), "the end of one linked to that").why())
        .startsWith("an object that it was linked to has ended: node 'node-3' is gone");
  }

  @Test
  void linksThatAreMadeWhileAnObjectMovesSurviveItsRestart() throws Exception {
    var leader = worker(2, Restart.never());
    var followers = IntStream.range(0, 40).mapToObj(i -> worker(0, Restart.elsewhere())).toList();
    var mover =
        CompletableFuture.runAsync(
            () -> {
              for (var round = 0; round < 6; round++) {
                var to = grid.get(1 - round % 2).id();
                followers.stream()
                    .map(each -> each.move(to))
                    .toList()
                    .forEach(RestartElsewhereTest::value);
              }
            },
            Thread::startVirtualThread);
    for (var each : followers) {
      value(each.linkTo(leader));
    }
    value(mover);

    kill(0);
    for (var each : followers) {
      assertThat(each.stub().numbers()).containsExactly(7, 0);
    }
    kill(2);

    for (var each : followers) {
      assertThat(valueOf(each.end(), "the end of a linked object").why())
          .startsWith("an object that it was linked to has ended: node 'node-3' is gone");
    }
  }

  @Test
  void aNodeThatLeavesWithoutItsObjectsHasThemRestarted() {
    var worker = worker(0, Restart.elsewhere());
    worker.stub().add(1);
    grid.leave(0);
    awaitLoss(0);
    assertThat(worker.stub().numbers()).containsExactly(7, 0);
    assertThat(worker.stub().place()).isIn("node-2", "node-3");
  }

  @Test
  void oneWayCallsAreAccountedAndLaterOnesArrive() {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    ActiveObjects.onFailure(failure -> failures.add(failure.cause()));
    var worker = worker(0, Restart.elsewhere());
    var busy = worker.ask(it -> it.pass(1));
    Waits.await(arrived, "the object being busy");
    worker.stub().addOneWay(1);
    kill(0);
    failureOf(busy, "the call at the loss");
    for (var i = 0; i < 10; i++) {
      worker.stub().addOneWay(i);
    }
    assertThat(worker.stub().numbers()).containsExactly(7, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    Waits.until(() -> !failures.isEmpty(), "the account of one-way calls");
    assertThat(failures.getFirst()).hasMessageContaining("of 1 one-way call to it");
  }

  /** Can be made on the first node only. */
  public static class Local {
    public Local() {
      if (!ActiveObjects.node().name().equals("node-1")) {
        throw new IllegalStateException("no licence");
      }
    }

    public int number() {
      return 1;
    }
  }

  @Test
  void callersLearnWhyAnObjectCouldNotBeMadeAnew(LogRecords records) {
    records.allow(Level.WARNING, "no licence");
    var once = Restart.elsewhere().times(1, Duration.ofMinutes(1));
    var ref =
        ActiveObjects.ref(
            ActiveObjects.on(grid.get(0))
                .with(Options.STANDARD.withRestart(once))
                .create(Local.class));
    var friend = worker(1, Restart.never());
    assertThat(ref.stub().number()).isEqualTo(1);

    kill(0);

    assertThat(failureOf(ref.ask(Local::number), "a call that waits"))
        .hasMessageContaining("no licence");
    assertThat(failureOf(ref.ask(Local::number), "a later call"))
        .hasMessageContaining("no licence");
    assertThat(value(ref.end()).why()).contains("no licence");
    friend.terminate();
  }
}
