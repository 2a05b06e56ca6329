package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Kept objects without requests leave the memory of their node until the next call. */
@Timeout(120)
class SleepingObjectsTest {

  private static final Duration IDLE = Duration.ofMillis(20);
  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static final List<String> asleep = new CopyOnWriteArrayList<>(); // nodes
  private static final List<String> woken = new CopyOnWriteArrayList<>(); // nodes

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Counts. */
  public static class Counter implements LifeCycle {
    private int sum;

    @Override
    public void started() {
      told.add("started");
    }

    @Override
    public void leaving() {
      told.add("leaving with " + sum);
    }

    @Override
    public void arrived() {
      told.add("arrived with " + sum);
    }

    @Override
    public void ended() {
      told.add("ended with " + sum);
    }

    public int add(int number) {
      sum += number;
      return sum;
    }

    public void addOneWay(int number) {
      sum += number;
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Has a loop of its own. */
  @Resumable
  public static class Loop implements Service {
    @Override
    public void serve(RequestQueue queue) {}
  }

  /** Calls a counter from another node. */
  public static class Friend {
    public int add(Counter counter, int number) {
      return counter.add(number);
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    told.clear();
    asleep.clear();
    woken.clear();
    ActiveObjects.onFailure(failure -> {});
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            asleep.add(node.name());
          } else if (step == RestartStep.WOKEN) {
            woken.add(node.name());
          }
        });
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Store.Directory store() {
    return Store.directory(folder.resolve("store"));
  }

  private Ref<Counter> counter(Keep keep) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(idle(keep)).create(Counter.class));
  }

  private static Options idle(Keep keep) {
    return Options.STANDARD.withKeep(keep).withRestart(Restart.elsewhere()).withIdle(IDLE);
  }

  /** Waits until the only object sleeps. */
  private void awaitSleep() {
    Waits.until(
        () -> grid.coordinator().coordinatorRole().objects().supervisor().sleeping() == 1,
        "the sleep of the object");
  }

  /** Makes a call until it is answered: the first may be unanswered at a loss. */
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

  private long journals() throws IOException {
    try (var all = Files.list(folder.resolve("store").resolve("journals"))) {
      return all.count();
    }
  }

  @Test
  void theNextCallWakesAnObjectWhereItWas() {
    for (var keep : List.of(Keep.state(store()), Keep.calls(store()))) {
      asleep.clear();
      told.clear();
      var counter = counter(keep);
      counter.stub().add(5);
      awaitSleep();
      assertThat(counter.stub().add(1)).isEqualTo(6);
      assertThat(counter.stub().place()).isEqualTo("node-1");
      assertThat(told).contains("started", "leaving with 5", "arrived with 5");
      awaitSleep();
      assertThat(counter.stub().add(1)).isEqualTo(7);
      valueOf(counter.terminate(), "the end");
    }
  }

  @Test
  void noImageIsMissedIfAnObjectFallsAsleepWhileItsNodeCloses() throws InterruptedException {
    var objects = grid.member(0).node().objects();
    var keeper = objects.host().keeper();
    for (var closing : List.<Runnable>of(keeper::leave, keeper::close)) {
      var falls = new CountDownLatch(1);
      var isClosing = new CountDownLatch(1);
      RestartStep.follow(
          (step, node) -> {
            if (step == RestartStep.ASLEEP) {
              falls.countDown();
              Waits.await(isClosing, "the closing");
            }
          });
      counter(Keep.state(store())); // a call might come when it falls asleep already
      Waits.await(falls, "the sleep");
      var closer = Thread.ofPlatform().start(closing);
      Waits.until(() -> closer.getState() == Thread.State.WAITING, "the wait for the last image");
      isClosing.countDown();
      closer.join();
    }
    assertThat(objects.observer().failures().all()).isEmpty();
  }

  @Test
  void anObjectEndsThatFallsAsleepWhileItsNodeIsAbandoned() {
    var keeper = grid.member(0).node().objects().host().keeper();
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            keeper.abandon();
          }
        });
    var end = counter(Keep.state(store())).end();
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.LOST);
  }

  @Test
  void callsOfOtherNodesWakeItInTheirOrder() {
    var counter = counter(Keep.state(store()));
    var friend = ActiveObjects.on(grid.get(1)).create(Friend.class);
    assertThat(friend.add(counter.stub(), 1)).isEqualTo(1);
    for (var round = 1; round <= 5; round++) {
      awaitSleep();
      var before = counter.stub().add(0);
      var answers =
          IntStream.range(0, 50)
              .mapToObj(
                  i -> {
                    counter.stub().addOneWay(1);
                    return counter.ask(each -> each.add(0));
                  })
              .toList();
      for (var i = 0; i < 50; i++) {
        assertThat(valueOf(answers.get(i), "an answer")).isEqualTo(before + i + 1);
      }
      assertThat(friend.add(counter.stub(), 1)).isEqualTo(before + 51);
    }
  }

  @Test
  void anObjectWhoseNodeIsLostWhileItSleepsWakesOnAnotherNodeWhenItIsCalled() {
    var counter = counter(Keep.state(store()));
    counter.stub().add(5);
    awaitSleep();
    woken.clear(); // on a slow machine it has slept before that call, too
    grid.kill(0);
    Waits.until(() -> grid.nodes().list().size() == 2, "the death of the node");

    assertThat(answer(counter, each -> each.add(1))).isEqualTo(6);
    assertThat(counter.stub().place()).isIn("node-2", "node-3");
    assertThat(woken).doesNotContain("node-1");
  }

  @Test
  void callersWaitForAnObjectThatWakesEvenIfTheyWouldNotForARestart() {
    var options = idle(Keep.state(store())).withRestart(Restart.elsewhere().failingFast());
    var counter =
        ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Counter.class));
    counter.stub().add(5);
    awaitSleep();
    var node = grid.get(0).id();
    var peers = grid.coordinator().node().peers();
    grid.kill(0);
    Waits.until(
        () -> peers.known(node) instanceof Peer peer && peer.isLost(), "the death of the node");
    int answer = valueOf(counter.ask(each -> each.add(1)), "the call");
    assertThat(answer).isEqualTo(6);
  }

  @Test
  void anObjectThatSleepsCanBeTerminated() throws IOException {
    var counter = counter(Keep.state(store()));
    counter.stub().add(5);
    awaitSleep();
    assertThat(valueOf(counter.terminate(), "the end").how()).isEqualTo(End.How.TERMINATED);
    assertThat(told).endsWith("leaving with 5", "arrived with 5", "ended with 5");
    assertThat(journals()).isZero();

    var other = counter(Keep.state(store()));
    awaitSleep();
    assertThat(valueOf(other.terminateNow(), "the end").how()).isEqualTo(End.How.TERMINATED);
    assertThat(journals()).isZero();
  }

  @Test
  void anObjectThatSleepsHasAStableImage() {
    var counter = counter(Keep.state(store()));
    counter.stub().add(5);
    awaitSleep();
    valueOf(counter.checkpoint(), "the image of a sleeping object");
    grid.leave(0);
    assertThat(answer(counter, each -> each.add(1))).isEqualTo(6);
  }

  @Test
  void anObjectEndsWithAnotherThatItIsLinkedToAlsoWhileItSleeps() {
    var counter = counter(Keep.state(store()));
    var other = ActiveObjects.ref(ActiveObjects.on(grid.get(1)).create(Friend.class));
    valueOf(counter.linkTo(other), "the link");
    awaitSleep();
    grid.kill(1);
    assertThat(valueOf(counter.end(), "the end").how()).isEqualTo(End.How.FAILED);
  }

  @Test
  void objectsThatCannotSleepAreRefused() {
    assertThatThrownBy(
            () -> ActiveObjects.here().with(Options.STANDARD.withIdle(IDLE)).create(Counter.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Counter cannot sleep: it is not kept; add withKeep(Keep.state(store)), or drop"
                + " withIdle");
    assertThatThrownBy(
            () -> ActiveObjects.here().with(idle(Keep.state(store()))).create(Loop.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Loop cannot sleep: its class has a service loop");
    assertThatThrownBy(() -> Options.STANDARD.withIdle(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an object cannot sleep after PT0S without a request; give a positive time");
  }

  @Test
  void manyObjectsSleepAndWakeUnderLoad() {
    List<Ref<Counter>> all = new ArrayList<>();
    for (var i = 0; i < 20; i++) {
      all.add(counter(i % 2 == 0 ? Keep.state(store()) : Keep.calls(store())));
    }
    for (var round = 1; round <= 30; round++) {
      var before = asleep.size();
      for (var each : all) {
        if ((round + all.indexOf(each)) % 3 == 0) {
          each.stub().addOneWay(1);
        }
      }
      Waits.until(() -> asleep.size() > before, "the sleep of an object after its call");
    }
    for (var each : all) {
      assertThat(each.stub().add(0)).isEqualTo(10);
    }
  }
}
