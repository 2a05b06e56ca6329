package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RequestQueue;
import org.troupe.activeobjects.Resumable;
import org.troupe.activeobjects.Service;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Objects with service loops move between nodes while others call them. */
@Timeout(120)
class MovingLoopsTest {

  private static final int CALLS = 1_000;

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Serves its requests in a loop, and records them. */
  @Resumable
  public static class Loop implements Service {
    private final Map<String, List<Integer>> served = new HashMap<>();
    private final List<String> entered = new ArrayList<>();
    private Object kept = "";
    private String filter = "";
    private boolean isStubborn;

    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      entered.add(ActiveObjects.node().name());
      while (requests.isOpen() || isStubborn) {
        if (!filter.isEmpty() && requests.serveOldest(filter)) {
          filter = "";
        } else {
          requests.serveOldest();
        }
      }
    }

    public void count(String sender, int number) {
      served.computeIfAbsent(sender, each -> new ArrayList<>()).add(number);
    }

    public int countAndAnswer(String sender, int number) {
      count(sender, number);
      return number;
    }

    public List<Integer> served(String sender) {
      return List.copyOf(served.getOrDefault(sender, List.of()));
    }

    public List<String> entered() {
      return List.copyOf(entered);
    }

    public String place() {
      return ActiveObjects.node().name();
    }

    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public void onlyThen(String method) {
      filter = method;
    }

    public void hold() {
      kept = Thread.currentThread();
    }

    public void refuseToReturn(boolean isSo) {
      isStubborn = isSo;
    }

    @Immediate
    public String now() {
      return ActiveObjects.node().name() + kept.getClass().getSimpleName();
    }
  }

  /** Has a loop that is not known to be resumable. */
  public static class Unknown implements Service {
    @Override
    public void serve(RequestQueue requests) throws InterruptedException {
      while (requests.isOpen()) {
        requests.serveOldest();
      }
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Calls a loop from its own node. */
  public static class Caller {
    public int call(Loop loop, String name, int count) {
      for (var i = 0; i < count; i++) {
        if (i % 5 == 0) {
          loop.countAndAnswer(name, i);
        } else {
          loop.count(name, i);
        }
      }
      return loop.served(name).size();
    }
  }

  private Loop loop(int node) {
    return ActiveObjects.on(grid.get(node)).create(Loop.class);
  }

  private ObjectReport.ClassTotal total() {
    var report = grid.member(0).objects(grid.get(0), new ObjectQuery("Loop", 0));
    return valueOf(report, "the report").total();
  }

  /** Lets the loop wait at a gate, and returns when it does. */
  private void letWaitAt(Loop loop, String gate) {
    loop.waitAt(gate);
    Waits.until(() -> total().serving() == 1 && total().queued() == 0, "the request in service");
  }

  /** Makes immediate calls until one is queued, because the loop, which serves, is to leave. */
  private CompletableFuture<String> queuedImmediateCall(Loop loop) {
    List<CompletableFuture<String>> asked = new ArrayList<>();
    Waits.until(
        () -> {
          asked.add(ActiveObjects.ref(loop).ask(Loop::now));
          return total().queued() > 0;
        },
        "a queued immediate call");
    return asked.getLast();
  }

  private CompletableFuture<Void> begin(Object object, int node) {
    return ActiveObjects.ref(object).move(grid.get(node).id());
  }

  private void move(Object object, int node) {
    valueOf(begin(object, node), "the move");
  }

  @Test
  void theLoopIsEnteredAnewOnEachNode() {
    var loop = loop(0);
    loop.count("main", 1);
    move(loop, 1);
    loop.count("main", 2);
    move(loop, 2);
    move(loop, 0);

    assertThat(loop.served("main")).containsExactly(1, 2);
    assertThat(loop.entered()).containsExactly("node-1", "node-2", "node-3", "node-1");
  }

  @Test
  void callsOfEachSenderStayInOrderWhileItMoves() {
    var loop = loop(0);
    List<CompletableFuture<Integer>> done = new ArrayList<>();
    for (var i = 0; i < 3; i++) {
      var name = "sender " + i;
      var caller = ActiveObjects.on(grid.get(i)).create(Caller.class);
      done.add(ActiveObjects.ref(caller).ask(it -> it.call(loop, name, CALLS)));
    }
    var moves = 0;
    while (!done.stream().allMatch(CompletableFuture::isDone)) {
      move(loop, ++moves % 3);
    }
    for (var i = 0; i < 3; i++) {
      assertThat(valueOf(done.get(i), "a sender")).isEqualTo(CALLS);
      assertThat(loop.served("sender " + i))
          .as("after %d moves", moves)
          .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
    }
    assertThat(moves).isGreaterThan(3);
  }

  @Test
  void whatALoopHasNotChosenMovesAlong() {
    var loop = loop(0);
    loop.onlyThen("waitAt");
    for (var i = 0; i < 10; i++) {
      loop.count("main", i);
    }

    move(loop, 1);
    assertThat(loop.now()).startsWith("node-2");
    loop.waitAt("open");
    Cell.gate("open").countDown();

    assertThat(loop.served("main")).isEqualTo(IntStream.range(0, 10).boxed().toList());
  }

  @Test
  void aLoopThatMayNotBeEnteredAgainStays() {
    var object = ActiveObjects.on(grid.get(0)).create(Unknown.class);

    assertThatThrownBy(() -> begin(object, 1).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("annotate it with @Resumable if serve() may be left and entered");
    assertThat(object.place()).isEqualTo("node-1");
  }

  @Test
  void aLoopThatDoesNotReturnGoesOn() {
    var loop = loop(0);
    ActiveObjects.ref(loop).tell(it -> it.refuseToReturn(true)).join(); // served before the move

    assertThatThrownBy(
            () -> ActiveObjects.ref(loop).move(grid.get(1).id(), Duration.ofMillis(50)).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("its serve() had not returned after PT0.05S");
    loop.refuseToReturn(false);
    assertThat(loop.place()).isEqualTo("node-1");
    assertThat(loop.entered()).containsExactly("node-1");
    move(loop, 1);
    assertThat(loop.place()).isEqualTo("node-2");
  }

  @Test
  void aLoopThatCannotTravelIsEnteredAgainWhereItIs() {
    var loop = loop(0);
    loop.hold();
    letWaitAt(loop, "held");
    var moved = begin(loop, 1);
    var now = queuedImmediateCall(loop);
    var counted = ActiveObjects.ref(loop).ask(it -> it.countAndAnswer("main", 1));
    Cell.gate("held").countDown();

    assertThatThrownBy(moved::join)
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("it goes on where it is");
    assertThat(valueOf(counted, "the call")).isEqualTo(1);
    assertThat(valueOf(now, "the immediate call")).startsWith("node-1");
    assertThat(loop.entered()).containsExactly("node-1", "node-1");
  }

  @Test
  void anImmediateCallDuringTheMoveIsServedAfterIt() {
    var loop = loop(0);
    letWaitAt(loop, "leave");
    var moved = begin(loop, 1);
    var now = queuedImmediateCall(loop);
    Cell.gate("leave").countDown();

    valueOf(moved, "the move");
    assertThat(valueOf(now, "the immediate call")).startsWith("node-2");
  }

  @Test
  void anEndThatWaitsInTheQueueMovesAlong() {
    var loop = loop(0);
    letWaitAt(loop, "end");
    var moved = begin(loop, 1);
    queuedImmediateCall(loop);
    var places =
        IntStream.range(0, 5).mapToObj(i -> ActiveObjects.ref(loop).ask(Loop::place)).toList();
    var end = ActiveObjects.ref(loop).terminate();
    Cell.gate("end").countDown();

    valueOf(moved, "the move");
    for (var each : places) {
      assertThat(valueOf(each, "an answer")).isEqualTo("node-2");
    }
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.TERMINATED);
    assertThatThrownBy(loop::place).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void anEndAtOnceReachesItsNewNode() {
    var loop = loop(0);
    move(loop, 1);
    loop.waitAt("at once");
    var unserved = ActiveObjects.ref(loop).ask(Loop::place);

    var end = ActiveObjects.ref(loop).terminateNow();

    assertThatThrownBy(unserved::join).hasCauseInstanceOf(ObjectTerminatedException.class);
    Cell.gate("at once").countDown();
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.TERMINATED);
  }
}
