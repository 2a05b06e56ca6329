package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Objects on several nodes that wait for each other, over the lanes of exchanges and without. */
@Timeout(60)
class WaitCyclesBetweenNodesTest {

  private static CyclicBarrier together;
  private static CountDownLatch release;

  /** An object of a ring. */
  public static class Link {
    private Link next;

    public int next(Link other) {
      next = other;
      return 0;
    }

    public int around(int hops) {
      return hops == 0 ? 0 : next.around(hops - 1) + 1;
    }

    public int askTogether() throws Exception {
      together.await(20, TimeUnit.SECONDS);
      return next.one();
    }

    public int askImmediate() {
      return next.askBack();
    }

    public int askBack() {
      return next.immediate();
    }

    public int askWithoutWaiting() {
      return next.askNext().join();
    }

    public CompletableFuture<Integer> askNext() {
      return ActiveObjects.ref(next).ask(Link::one);
    }

    public int one() {
      return 1;
    }

    public int askForHeld() {
      return next.held().join();
    }

    public CompletableFuture<Integer> held() {
      return ActiveObjects.ref(next).ask(Link::awaitRelease);
    }

    public int awaitRelease() throws Exception {
      assertThat(release.await(50, TimeUnit.SECONDS)).isTrue();
      return 3;
    }

    public int oneOf(Link other) {
      return other.one();
    }

    @Immediate
    public int immediate() {
      return 2;
    }

    public int createNext(Node node) {
      return ActiveObjects.on(node).create(CallsItsMaker.class, next).number();
    }

    @Immediate
    public int callNextBeside() {
      return next.one();
    }

    public int callNextBesideOf(Link other) {
      return other.callNextBeside();
    }
  }

  /** Calls in its constructor an object, possibly the one that creates it. */
  public static class CallsItsMaker {
    private final int number;

    public CallsItsMaker(Link maker) {
      number = maker.one();
    }

    public int number() {
      return number;
    }
  }

  /** The kinds of the first call. */
  enum Caller {
    OVER_A_LANE(call -> onPlatformThread(call)),
    OVER_THE_LINK(call -> onVirtualThread(call));

    private final Function<Callable<Integer>, CompletableFuture<Integer>> start;

    Caller(Function<Callable<Integer>, CompletableFuture<Integer>> start) {
      this.start = start;
    }

    CompletableFuture<Integer> call(Callable<Integer> call) {
      return start.apply(call);
    }
  }

  private final InProcessGrid grid = InProcessGrid.start(3);
  private final List<Link> ring =
      IntStream.range(0, 3)
          .mapToObj(i -> ActiveObjects.on(grid.get(i)).create(Link.class))
          .toList();

  @BeforeEach
  void closeTheRing() {
    for (var i = 0; i < 3; i++) {
      var link = ring.get(i);
      var next = ring.get((i + 1) % 3);
      valueOf(onPlatformThread(() -> link.next(next)), "the link");
      valueOf(onPlatformThread(() -> link.around(1)), "a call between the nodes");
    }
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Runs heartbeats until a condition holds. */
  private void beatUntilDone(CompletableFuture<?> call) {
    until(
        () -> {
          for (var i = 0; i < 3; i++) {
            grid.member(i).beat();
          }
          return call.isDone();
        },
        "an outcome");
  }

  @ParameterizedTest
  @EnumSource
  void failWithTheCycleWhenACallComesBack(Caller caller) {
    var around = caller.call(() -> ring.get(0).around(3));

    beatUntilDone(around);

    assertThat(failureOf(around, "the call"))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("these waits could never end:")
        .hasMessageContaining("a Link on node 'node-1' waits for Link.around(int) on node 'node-2'")
        .hasMessageContaining("a Link on node 'node-2' waits for Link.around(int) on node 'node-3'")
        .hasMessageContaining("a Link on node 'node-3' waits for Link.around(int) on node 'node-1'")
        .hasMessageContaining("which is the first of this list");
    for (var link : ring) {
      assertThat(valueOf(caller.call(link::one), "an object of the ring")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void failWhenAllCloseTheCycleTogether(Caller caller) {
    for (var round = 0; round < 5; round++) {
      together = new CyclicBarrier(3);
      var calls = ring.stream().map(link -> caller.call(link::askTogether)).toList();
      var all =
          CompletableFuture.allOf(
              calls.stream()
                  .map(call -> call.exceptionally(failure -> 0))
                  .toArray(CompletableFuture<?>[]::new));

      beatUntilDone(all);

      assertThat(calls.stream().filter(CompletableFuture::isCompletedExceptionally))
          .isNotEmpty()
          .allSatisfy(
              call -> assertThat(failureOf(call, "a call")).isInstanceOf(WaitCycleException.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void failWhenALocalObjectIsAmongThem(Caller caller) {
    var local = ActiveObjects.on(grid.get(0)).create(Link.class);
    valueOf(onPlatformThread(() -> local.next(ring.get(1))), "the link");
    valueOf(onPlatformThread(() -> ring.get(0).next(local)), "the link");

    var around = caller.call(() -> ring.get(0).around(4));

    beatUntilDone(around);
    assertThat(failureOf(around, "the call"))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining(
            "a Link on node 'node-1' waits for Link.around(int) on node 'node-1'");
  }

  /** Where the objects of the ring are after their moves; without moves each is on its own node. */
  static Stream<Arguments> moves() {
    return Stream.of(Caller.values())
        .flatMap(
            caller ->
                Stream.of(List.of(0, 2, 2), List.of(1, 2, 0), List.of(0, 0, 0), List.of(2, 1, 0))
                    .map(places -> Arguments.of(caller, places)));
  }

  @ParameterizedTest
  @MethodSource("moves")
  void failWhenObjectsOfTheCycleHaveMoved(Caller caller, List<Integer> places) {
    for (var i = 0; i < 3; i++) {
      valueOf(ActiveObjects.ref(ring.get(i)).move(grid.get(places.get(i)).id()), "a move");
    }

    var around = caller.call(() -> ring.get(0).around(3));
    beatUntilDone(around);

    assertThat(failureOf(around, "the call"))
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("which is the first of this list");
    for (var link : ring) {
      assertThat(valueOf(caller.call(link::one), "an object of the ring")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void letBeWhatWaitsForAnAnswerThatAFormerNodeOwes(Caller caller) {
    release = new CountDownLatch(1);
    var asker = ring.get(0);
    var asked = ring.get(1);
    var held = caller.call(asker::askForHeld);
    until(() -> waiting(0) == 1, "the wait for the held answer");
    valueOf(ActiveObjects.ref(asked).move(grid.get(0).id()), "the move of the asked object");

    var one = caller.call(() -> asked.oneOf(asker));
    until(() -> waiting(0) == 2 || one.isDone(), "the wait of the asked object");
    for (var i = 0; i < 3; i++) {
      grid.member(i).beat();
    }
    release.countDown();

    assertThat(valueOf(held, "the held answer")).isEqualTo(3);
    assertThat(valueOf(one, "the call of the asked object")).isEqualTo(1);
  }

  /** Returns how many objects of a node wait. */
  private long waiting(int member) {
    return grid.member(member).node().objects().bodies().stream()
        .filter(each -> each.waitingFor != null)
        .count();
  }

  @Test
  void failWhenTheAnswerIsAFutureThatWaitsForTheCaller() {
    var call = onPlatformThread(() -> ring.get(1).askWithoutWaiting());
    valueOf(call, "what waits for nothing behind it");
    valueOf(onPlatformThread(() -> ring.get(2).next(ring.get(1))), "the link");

    var closed = onPlatformThread(() -> ring.get(1).askWithoutWaiting());

    beatUntilDone(closed);
    assertThat(failureOf(closed, "the call")).isInstanceOf(WaitCycleException.class);
  }

  @ParameterizedTest
  @EnumSource
  void letBeWhatOnlyLooksLikeOne(Caller caller) {
    valueOf(onPlatformThread(() -> ring.get(1).next(ring.get(0))), "the link");

    var calls =
        Stream.generate(() -> caller.call(() -> ring.get(0).askImmediate())).limit(20).toList();
    var all = CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new));

    beatUntilDone(all);
    assertThat(calls).allSatisfy(call -> assertThat(valueOf(call, "the call")).isEqualTo(2));
  }

  @ParameterizedTest
  @EnumSource
  void failWhenAConstructorCallsTheObjectThatMakesIt(Caller caller) {
    var maker = ring.get(0);
    valueOf(onPlatformThread(() -> maker.next(maker)), "the link to itself");

    for (var node : List.of(grid.get(0), grid.get(1))) {
      var made = caller.call(() -> maker.createNext(node));
      beatUntilDone(made);

      assertThat(failureOf(made, "the creation")).hasStackTraceContaining("WaitCycleException");
    }
  }

  @ParameterizedTest
  @EnumSource
  void failOverAnImmediateMethodThatWaits(Caller caller) {
    valueOf(onPlatformThread(() -> ring.get(1).next(ring.get(0))), "the link");

    var call = caller.call(() -> ring.get(0).callNextBesideOf(ring.get(1)));
    beatUntilDone(call);

    assertThat(failureOf(call, "the call")).hasStackTraceContaining("WaitCycleException");
  }
}
