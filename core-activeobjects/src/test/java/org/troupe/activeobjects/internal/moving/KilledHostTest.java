package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/**
 * The host of an object that has moved is lost while calls of a third node are on their way to it,
 * and a fourth node has just been given its stub.
 */
@Timeout(120)
class KilledHostTest {

  private static final int BIRTH = 0;
  private static final int HOST = 1;
  private static final int CALLER = 2;
  private static final int TAKER = 3; // of the stub
  private static final int CALLS = 20;

  private final FaultyTransport transport = new FaultyTransport();
  private InProcessGrid grid;

  /** Counts its calls, and waits when it is told to. */
  public static class Counter {
    private int count;

    public int count() {
      return ++count;
    }

    public void countLater() {
      count++;
    }

    public int waitAt(String gate) {
      Cell.gate(gate + " is reached").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
      return count;
    }
  }

  /** Calls a counter, and passes it on. */
  public static class Caller {
    private final List<CompletableFuture<Integer>> answers = new ArrayList<>();
    private Counter counter;

    public int take(Counter taken) {
      counter = taken;
      return 0;
    }

    public int takeAndCall(Counter taken) {
      counter = taken;
      return taken.count();
    }

    public int call() {
      return counter.count();
    }

    /** Calls the counter without waiting. */
    public int callOften() {
      var ref = ActiveObjects.ref(counter);
      for (var i = 0; i < CALLS; i++) {
        answers.add(ref.ask(Counter::count));
        counter.countLater();
      }
      return answers.size();
    }

    public int passOn(Caller next) {
      return next.takeAndCall(counter);
    }

    /** Returns the classes of the failures of those calls. */
    public List<String> failures() {
      return answers.stream()
          .map(each -> failureOf(each, "a call to an object that is lost").getClass().getName())
          .toList();
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(4, transport);
    ActiveObjects.onFailure(_ -> {}); // of one-way calls, which are lost
  }

  @AfterEach
  void end() {
    grid.close();
    ActiveObjects.onFailure(null);
  }

  /**
   * The calls are in the queue of the object, or wait for the link to its host: at the caller's
   * node, or at the birthplace, which forwards them.
   */
  @ParameterizedTest
  @CsvSource({"true, false", "false, false", "true, true", "false, true"})
  void eachCallEndsAndNothingIsLeft(boolean isDirect, boolean isCut) {
    var gate = "KilledHostTest " + isDirect + " " + isCut;
    var counter = ActiveObjects.on(grid.get(BIRTH)).create(Counter.class);
    var caller = ActiveObjects.on(grid.get(CALLER)).create(Caller.class);
    var taker = ActiveObjects.on(grid.get(TAKER)).create(Caller.class);
    caller.take(counter); // before it moves, and so by its birthplace
    valueOf(ActiveObjects.ref(counter).move(grid.get(HOST).id()), "the move");
    if (isDirect) {
      assertThat(caller.call()).isEqualTo(1);
    }
    var waits = ActiveObjects.ref(counter).ask(it -> it.waitAt(gate));
    Waits.await(Cell.gate(gate + " is reached"), "the object at its gate");
    if (isCut) {
      transport.cut(1 + (isDirect ? CALLER : BIRTH), 1 + HOST); // this node has the first endpoint
    }
    assertThat(caller.callOften()).isEqualTo(CALLS);
    var passedOn = ActiveObjects.ref(caller).ask(it -> it.passOn(taker));

    grid.kill(HOST);

    assertThat(failureOf(waits, "the request that was served"))
        .isInstanceOf(NodeLostException.class);
    assertThat(failureOf(passedOn, "the call by the stub that was passed on"))
        .isInstanceOf(NodeLostException.class);
    assertThat(caller.failures()).hasSize(CALLS).containsOnly(NodeLostException.class.getName());
    assertThat(failureOf(ActiveObjects.ref(taker).ask(Caller::call), "a later call"))
        .isInstanceOf(NodeLostException.class);
    for (var each : List.of(BIRTH, CALLER, TAKER)) {
      FaultsWhileMovingTest.awaitNothingOpen(grid, grid.member(each));
    }
    FaultsWhileMovingTest.awaitNothingOpen(grid, grid.coordinator());
    Cell.gate(gate).countDown();
  }
}
