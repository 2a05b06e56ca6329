package org.troupe.activeobjects.internal.capacity;

import static java.lang.System.Logger.Level.ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.futures.WaitInterruptedException;
import org.troupe.testing.LogRecords;

/** Calls to bounded queues that have no room, within a node and between nodes. */
@Timeout(60)
class CapacityWaitTest {

  private static final Options BOUND_OF_TWO = Options.STANDARD.withQueueBound(2);

  private static volatile Thread helper;
  private static CountDownLatch open;
  private static CountDownLatch busy;
  private static CyclicBarrier together;

  /** The object as others call it, without a word of how it serves. */
  public interface Counter {
    void add(int number);

    void release();

    String state();
  }

  /** Has a bounded queue, and is busy until it is told. */
  public static class Bounded implements Counter {
    private final List<Integer> added = new ArrayList<>();
    private Bounded other;

    public void hold() {
      busy.countDown();
      Waits.await(open, "the release");
    }

    @Override
    public void add(int number) {
      added.add(number);
    }

    public int size() {
      return added.size();
    }

    public List<Integer> all() {
      return added;
    }

    @Override
    @Immediate
    public void release() {
      open.countDown();
    }

    @Override
    @Immediate
    public String state() {
      return "at your service";
    }

    @Immediate
    public CompletableFuture<String> stateLater() {
      return CompletableFuture.completedFuture("at your service");
    }

    public int fillOwnQueueAndJoin(Bounded self) throws InterruptedException {
      helper =
          new Thread(
              () -> {
                for (var i = 0; i < 10; i++) {
                  self.add(i);
                }
              });
      helper.start();
      helper.join();
      return added.size();
    }

    public int other(Bounded given) {
      other = given;
      return 0;
    }

    public int sizeOf(Bounded asking) {
      busy.countDown();
      return asking.size();
    }

    /** Takes a place, then needs two more at once. */
    public int addTwice(Bounded receiver) {
      Waits.await(busy, "the other one waiting");
      receiver.add(0);
      var ref = ActiveObjects.ref(receiver);
      Collectives.current()
          .record(
              Bounded.class,
              each -> {
                each.add(1);
                return null;
              },
              false)
          .post(List.of(ref, ref));
      return 0;
    }

    public int flood(int calls) throws Exception {
      together.await(20, TimeUnit.SECONDS);
      for (var i = 0; i < calls; i++) {
        other.add(i);
      }
      return calls;
    }
  }

  /** Where the object is that has the bounded queue. */
  enum Place {
    HERE,
    ON_ANOTHER_NODE
  }

  private final InProcessGrid grid = InProcessGrid.start(3);

  CapacityWaitTest() {
    open = new CountDownLatch(1);
    busy = new CountDownLatch(1);
    ActiveObjects.onFailure(failure -> {}); // what is lost at the end is of no interest
  }

  @AfterEach
  void end() {
    open.countDown();
    ActiveObjects.onFailure(null);
    grid.close();
  }

  private Bounded bounded(Place place) {
    return switch (place) {
      case HERE -> ActiveObjects.here().with(BOUND_OF_TWO).create(Bounded.class);
      case ON_ANOTHER_NODE ->
          ActiveObjects.on(grid.get(0)).with(BOUND_OF_TWO).create(Bounded.class);
    };
  }

  private Bounded full(Place place) {
    var bounded = bounded(place);
    bounded.hold();
    Waits.await(busy, "the object being busy");
    bounded.add(0);
    bounded.add(1);
    return bounded;
  }

  @ParameterizedTest
  @EnumSource
  void immediateCallsPassAFullQueue(Place place) {
    var full = full(place);
    var ref = ActiveObjects.ref(full);

    assertThat(valueOf(onPlatformThread(full::state), "a call that waits"))
        .isEqualTo("at your service");
    assertThat(valueOf(ref.ask(Bounded::state), "an ask")).isEqualTo("at your service");
    assertThat(valueOf(full.stateLater(), "a future")).isEqualTo("at your service");
    valueOf(ref.tell(Bounded::state), "a tell");
    full.release(); // one-way: it frees the object

    assertThat(valueOf(ref.ask(Bounded::size), "the rest")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void immediateCallsPassAFullQueueByAnInterfaceThatDoesNotSaySo(Place place) {
    Counter full = ActiveObjects.ref(full(place)).stub();
    var name = "by-interface-" + place;
    ActiveObjects.register(grid.get(1), name, full);
    var byInterface = grid.get(1).lookup(name, Counter.class);

    assertThat(valueOf(onPlatformThread(byInterface::state), "a call that waits"))
        .isEqualTo("at your service");
  }

  @ParameterizedTest
  @EnumSource
  void asksReturnAtOnceAndKeepTheirOrder(Place place) {
    var full = full(place);
    var ref = ActiveObjects.ref(full);

    var told = IntStream.range(2, 50).mapToObj(i -> ref.tell(b -> b.add(i))).toList();
    var all = ref.ask(Bounded::all);
    var after =
        onPlatformThread(
            () -> {
              full.add(50);
              return full.size();
            });
    assertThat(told).noneMatch(CompletableFuture::isDone);
    full.release();

    assertThat(valueOf(all, "all")).isEqualTo(IntStream.range(0, 50).boxed().toList());
    assertThat(valueOf(after, "what came behind them")).isEqualTo(51);
    told.forEach(each -> valueOf(each, "a tell"));
  }

  @ParameterizedTest
  @EnumSource
  void theEndComesBehindAsksThatWaitForRoom(Place place) {
    var ref = ActiveObjects.ref(full(place));

    var last = ref.ask(Bounded::size);
    var end = ref.terminate();
    open.countDown();

    assertThat(valueOf(last, "the ask")).isEqualTo(2);
    valueOf(end, "the end");
  }

  @ParameterizedTest
  @EnumSource
  void givesUpWhenItsThreadIsInterrupted(Place place) throws Exception {
    var full = full(place);
    var failure = new CompletableFuture<Throwable>();
    var sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    full.add(2);
                    failure.complete(null);
                  } catch (RuntimeException e) {
                    failure.complete(e);
                  }
                });
    until(() -> sender.getState() == Thread.State.WAITING, "the sender waiting");

    sender.interrupt();

    assertThat(valueOf(failure, "the sender"))
        .isInstanceOf(WaitInterruptedException.class)
        .hasMessageContaining("Bounded.add(int)")
        .hasMessageContaining("interrupted while it waited for room");
    full.release();
    assertThat(full.size()).as("how many were sent").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheLimitOfTheCall(Place place) {
    var limited = ActiveObjects.ref(full(place)).within(Duration.ofMillis(20)).stub();

    assertThatThrownBy(() -> limited.add(2))
        .isInstanceOf(CallTimeoutException.class)
        .hasMessageContaining("had no room within PT0.02S");
    assertThatThrownBy(limited::size).isInstanceOf(CallTimeoutException.class);
  }

  @Test
  void printsAWaitOfAHelperThreadThatTheObjectJoins(LogRecords records) throws Exception {
    var node = new NodeRuntime("of-its-own");
    var bounded = node.objects().factory().adopt(new Bounded(), BOUND_OF_TWO).stub();
    var printed = new CompletableFuture<String>();
    node.objects().queueCapacity().warnAfter(1, printed::complete);
    try {
      var stuck = ActiveObjects.ref(bounded).ask(each -> each.fillOwnQueueAndJoin(bounded));

      assertThat(valueOf(printed, "the warning"))
          .contains("Bounded.add(int) on node 'of-its-own' has waited", "as by Thread.join");
      helper.interrupt(); // which ends its wait, and so that of the object
      assertThat(valueOf(stuck, "the object")).isZero();
      records.expect(ERROR, "an exception ended thread", "its thread was interrupted");
    } finally {
      node.close();
    }
  }

  private static final int FLOOD = 100;

  private List<CompletableFuture<Integer>> flooded(List<Bounded> ring) {
    for (var i = 0; i < ring.size(); i++) {
      var object = ring.get(i);
      var next = ring.get((i + 1) % ring.size());
      valueOf(onPlatformThread(() -> object.other(next)), "a link of the ring");
    }
    together = new CyclicBarrier(ring.size());
    return ring.stream().map(each -> ActiveObjects.ref(each).ask(b -> b.flood(FLOOD))).toList();
  }

  private void beatUntilDone(List<CompletableFuture<Integer>> calls) {
    until(
        () -> {
          for (var i = 0; i < 3; i++) {
            grid.member(i).beat();
          }
          return calls.stream().allMatch(CompletableFuture::isDone);
        },
        "an outcome");
  }

  private static void assertCycleIsPrinted(
      List<CompletableFuture<Integer>> calls, String... parts) {
    var failed = calls.stream().filter(CompletableFuture::isCompletedExceptionally).toList();
    assertThat(failed).isNotEmpty();
    failed.forEach(each -> failureOf(each, "a call")); // so that no handler hears of it later
    assertThat(failureOf(failed.getFirst(), "a call"))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContainingAll(
            "these waits could never end", "room in a full queue for Bounded.add(int)")
        .hasMessageContainingAll(parts);
  }

  @ParameterizedTest
  @EnumSource
  void ofTwoThatFillEachOthersQueuesOneFails(Place place) {
    var one = bounded(place);
    var two = bounded(place);

    var calls = flooded(List.of(one, two));
    beatUntilDone(calls);

    assertCycleIsPrinted(calls, "a Bounded on node");
  }

  @ParameterizedTest
  @EnumSource
  void ofThreeOnThreeNodesThatFillEachOthersQueuesOneFails(Place of) {
    var ring =
        IntStream.range(0, 3)
            .mapToObj(i -> ActiveObjects.on(grid.get(of == Place.HERE ? 0 : i)))
            .map(each -> each.with(BOUND_OF_TWO).create(Bounded.class))
            .toList();

    var calls = flooded(ring);
    beatUntilDone(calls);

    assertCycleIsPrinted(calls, "a Bounded on node 'node-1'");
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatNeedsMorePlacesThanThereAreIsPartOfACycle(Place place) {
    var one = bounded(place);
    var two = ActiveObjects.on(grid.get(0)).with(BOUND_OF_TWO).create(Bounded.class);

    var calls =
        List.of(
            ActiveObjects.ref(one).ask(each -> each.addTwice(two)),
            ActiveObjects.ref(two).ask(each -> each.sizeOf(one)));
    beatUntilDone(calls);

    var failed = calls.stream().filter(CompletableFuture::isCompletedExceptionally).toList();
    assertThat(failed).isNotEmpty();
    assertThat(failureOf(failed.getFirst(), "a call")).isInstanceOf(WaitCycleException.class);
  }
}
