package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.OverloadedException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Objects with bounded queues move while callers wait for a place in them. */
@Timeout(120)
class MovingBoundedQueuesTest {

  private static final int CALLS = 500;

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  /** Records the calls that it serves. */
  public static class Store {
    private final Map<String, List<Integer>> served = new HashMap<>();

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

    public void waitAt(String gate) {
      Cell.gate(gate + " begun").countDown();
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }
  }

  /** Calls a store from its own node. */
  public static class Caller {
    public Store store() {
      return ActiveObjects.here().with(Options.STANDARD.withQueueBound(1)).create(Store.class);
    }

    public String callAndTerminate(Store store, String gate) {
      return MovingBoundedQueuesTest.callAndTerminate(store, gate);
    }

    public int call(Store store, String name, int count) {
      return MovingBoundedQueuesTest.call(store, name, count);
    }

    /** Calls until a call is refused; returns why. */
    public String fill(Store store) {
      while (true) {
        var asked = ActiveObjects.ref(store).ask(it -> it.countAndAnswer("far", 0));
        if (asked.isCompletedExceptionally()) {
          return asked.exceptionNow().toString();
        }
      }
    }

    public String ping() {
      return "here";
    }
  }

  private static int call(Store store, String name, int count) {
    for (var i = 0; i < count; i++) {
      if (i % 10 == 9) {
        store.countAndAnswer(name, i);
      } else {
        store.count(name, i);
      }
    }
    return store.served(name).size();
  }

  private Store store(int node, int bound) {
    return ActiveObjects.on(grid.get(node))
        .with(Options.STANDARD.withQueueBound(bound))
        .create(Store.class);
  }

  private Caller caller(int node) {
    return ActiveObjects.on(grid.get(node)).create(Caller.class);
  }

  private CompletableFuture<Void> begin(Store store, int node) {
    return ActiveObjects.ref(store).move(grid.get(node).id());
  }

  private void move(Store store, int node) {
    valueOf(begin(store, node), "the move");
  }

  private ObjectReport.ClassTotal total(int node) {
    var report = grid.member(node).objects(grid.get(node), new ObjectQuery("Store", 0));
    return valueOf(report, "the report").total();
  }

  private long queued(int node) {
    return total(node).queued();
  }

  private long serving(int node) {
    return total(node).serving();
  }

  @Test
  void waitingCallersGoOnAtTheNewPlaceWithinTheBound() {
    var store = store(0, 2);
    store.waitAt("first");
    Waits.until(() -> serving(0) == 1, "the wait");
    store.waitAt("second");
    var moved = begin(store, 1);
    var asked =
        IntStream.range(0, 10)
            .mapToObj(i -> ActiveObjects.ref(store).ask(it -> it.countAndAnswer("main", i)))
            .toList();
    var far = ActiveObjects.ref(caller(2)).ask(it -> it.call(store, "far", 20));
    Cell.gate("first").countDown();

    valueOf(moved, "the move");
    Waits.until(() -> queued(1) == 4, "two requests of each caller");
    assertThat(caller(2).ping()).isEqualTo("here");
    assertThat(queued(1)).isEqualTo(4);
    assertThat(asked).noneMatch(CompletableFuture::isDone);

    Cell.gate("second").countDown();
    assertThat(valueOf(far, "the caller")).isEqualTo(20);
    for (var i = 0; i < asked.size(); i++) {
      assertThat(valueOf(asked.get(i), "an answer")).isEqualTo(i);
    }
    assertThat(store.served("main")).isEqualTo(IntStream.range(0, 10).boxed().toList());
    assertThat(store.served("far")).isEqualTo(IntStream.range(0, 20).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void callsOfEachSenderStayInOrderWhileItMoves(int bound) {
    var store = store(0, bound);
    List<CompletableFuture<Integer>> done = new ArrayList<>();
    for (var i = 0; i < 3; i++) {
      var name = "sender " + i;
      var caller = caller(i);
      done.add(ActiveObjects.ref(caller).ask(it -> it.call(store, name, CALLS)));
    }
    var own = new CompletableFuture<Integer>();
    Thread.startVirtualThread(() -> own.complete(call(store, "sender 3", CALLS)));
    done.add(own);
    var moves = 0;
    while (!done.stream().allMatch(CompletableFuture::isDone)) {
      move(store, ++moves % 3);
    }
    for (var i = 0; i < done.size(); i++) {
      assertThat(valueOf(done.get(i), "a sender")).isEqualTo(CALLS);
      assertThat(store.served("sender " + i))
          .as("after %d moves", moves)
          .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
    }
    assertThat(moves).isGreaterThan(3);
  }

  @Test
  void anObjectThatRefusesCallsDoesSoAtTheNewPlace() {
    var store =
        ActiveObjects.on(grid.get(0))
            .with(Options.STANDARD.withQueueBound(2).refusing())
            .create(Store.class);
    var far = caller(2);
    move(store, 1);
    store.waitAt("refusing");
    Waits.until(() -> serving(1) == 1, "the wait");
    List<CompletableFuture<Integer>> accepted = new ArrayList<>();
    Waits.until( // places may come back late
        () -> {
          var number = accepted.size();
          var asked = ActiveObjects.ref(store).ask(it -> it.countAndAnswer("main", number));
          if (!asked.isCompletedExceptionally()) {
            accepted.add(asked);
          }
          return accepted.size() == 2;
        },
        "two requests are queued");

    assertThatThrownBy(() -> store.countAndAnswer("main", -1))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("is full (2 of 2 from this JVM)");
    String refusal = valueOf(ActiveObjects.ref(far).ask(it -> it.fill(store)), "calls");
    assertThat(refusal).startsWith(OverloadedException.class.getName()).contains("(2 of 2 ");
    Cell.gate("refusing").countDown();
    for (var i = 0; i < 2; i++) {
      assertThat(valueOf(accepted.get(i), "an answer")).isEqualTo(i);
    }
  }

  @Test
  void theBoundHoldsAfterTheBirthplaceIsLost() {
    var store = store(0, 2);
    var far = caller(2);
    int known = valueOf(ActiveObjects.ref(far).ask(it -> it.call(store, "far", 5)), "calls");
    assertThat(known).isEqualTo(5);
    move(store, 1);
    grid.kill(0);
    for (var each : List.of(grid.member(1), grid.member(2), grid.coordinator())) {
      Waits.until(() -> each.moving().isGone(grid.get(0).id()), "the death");
    }

    store.waitAt("after the loss");
    Waits.until(() -> serving(1) == 1, "the wait");
    var calls = ActiveObjects.ref(far).ask(it -> it.call(store, "late", 50));
    Waits.until(() -> queued(1) >= 2, "the first calls");
    assertThat(caller(2).ping()).isEqualTo("here");
    assertThat(queued(1)).as("at most once more than the bound").isLessThanOrEqualTo(4);
    Cell.gate("after the loss").countDown();

    assertThat(valueOf(calls, "the caller")).isEqualTo(50);
    assertThat(store.served("late")).isEqualTo(IntStream.range(0, 50).boxed().toList());
  }

  /** Terminates a store at once while calls wait for a place in its queue. */
  private static String callAndTerminate(Store store, String gate) {
    var ref = ActiveObjects.ref(store);
    ref.tell(it -> it.waitAt(gate));
    Waits.await(Cell.gate(gate + " begun"), "the wait");
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (var i = 0; i < 5; i++) {
      var number = i;
      calls.add(ref.ask(it -> it.countAndAnswer("before", number)));
    }
    var end = ref.terminateNow();
    var late = ref.ask(it -> it.countAndAnswer("after", 5));
    Cell.gate(gate).countDown();
    valueOf(end, "the end");
    for (var each : calls) {
      Waits.until(each::isDone, "the end of a call");
    }
    assertThatThrownBy(() -> valueOf(late, "the late call"))
        .hasRootCauseInstanceOf(ObjectTerminatedException.class);
    return "ended";
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0, 2", "1, 1", "1, 2", "2, 1", "2, 2"})
  void waitingCallsEndWhenAMovedObjectIsTerminatedAtOnce(int node, int moves) {
    for (var round = 0; round < 10; round++) {
      var store = caller(0).store();
      for (var i = 1; i <= moves; i++) {
        move(store, i % 2);
      }
      var gate = node + " " + moves + " " + round;
      assertThat(caller(node).callAndTerminate(store, gate)).isEqualTo("ended");
    }
  }
}
