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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Objects move between nodes while others call them. */
@Timeout(120)
class MovingTest {

  private static final int ROUNDS = 10;
  private static final int CALLS = 200; // of each sender in a round
  private static final double[] LARGE = IntStream.range(0, 100_000).asDoubleStream().toArray();

  private InProcessGrid grid;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    MoveStep.follow(null);
    grid.close();
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  /** Records the calls that it serves, and can travel. */
  public static class Traveller implements LifeCycle {
    private final Map<String, List<Integer>> served = new HashMap<>();
    private final List<String> events = new ArrayList<>();
    private Object kept = "";

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

    public String place() {
      return ActiveObjects.node().name();
    }

    public List<String> events() {
      return List.copyOf(events);
    }

    public void keep(Object value) {
      kept = value;
    }

    public Object kept() {
      return kept;
    }

    public boolean isItself(Traveller stub) {
      return ActiveObjects.ref(stub).equals(ActiveObjects.self(Traveller.class));
    }

    public void tour(List<NodeId> route) {
      events.add("at " + place());
      if (!route.isEmpty()) {
        var self = ActiveObjects.self(Traveller.class);
        self.move(route.getFirst());
        self.stub().tour(route.subList(1, route.size()));
      }
    }

    public void keepWhenOpen(Traveller other, String gate) {
      ActiveObjects.ref(other).tell(it -> it.waitAt(gate)).thenRun(() -> kept = "opened");
    }

    public void hold() {
      kept = Thread.currentThread();
    }

    public void waitAt(String gate) {
      Waits.await(Cell.gate(gate), "the gate " + gate);
    }

    public String callerOf(Witness other) {
      return other.seesCaller(ActiveObjects.self(Traveller.class).stub());
    }

    @Override
    public void leaving() {
      events.add("leaves " + place());
    }

    @Override
    public void arrived() {
      events.add("reaches " + place());
    }
  }

  /** Calls another object from its own node. */
  public static class Witness {
    public int call(Traveller other, String name, int from, int to) {
      for (var i = from; i < to; i++) {
        if (i % 5 == 4) { // as the last one: the next round has a reference of its own
          other.countAndAnswer(name, i);
        } else {
          other.count(name, i);
        }
      }
      return to;
    }

    public String seesCaller(Traveller given) {
      return String.valueOf(ActiveObjects.ref(given).equals(ActiveObjects.caller()));
    }

    public String nodeOf(Traveller given) {
      return ActiveObjects.ref(given).node().name();
    }

    public String moves(Traveller given, NodeId to) {
      ActiveObjects.ref(given).move(to).join();
      return given.place();
    }

    public String placeOf(Traveller given) {
      return given.place();
    }
  }

  private Traveller traveller(int node) {
    return ActiveObjects.on(grid.get(node)).create(Traveller.class);
  }

  private Witness witness(int node) {
    return ActiveObjects.on(grid.get(node)).create(Witness.class);
  }

  private void move(Traveller object, int node) {
    valueOf(ActiveObjects.ref(object).move(node(node)), "the move");
  }

  private void awaitDeath(NodeId dead) {
    for (var i = 0; i < 3; i++) {
      var member = grid.member(i);
      if (!member.node().id().equals(dead)) {
        Waits.until(() -> member.moving().isGone(dead), "the death of " + dead);
      }
    }
    Waits.until(() -> grid.coordinator().moving().isGone(dead), "the death of " + dead);
  }

  @Test
  void anObjectServesOnAnotherNode() {
    var object = traveller(0);
    object.count("main", 1);

    move(object, 1);

    assertThat(object.place()).isEqualTo("node-2");
    assertThat(object.served("main")).containsExactly(1);
    assertThat(object.events()).containsExactly("leaves node-1", "reaches node-2");
    object.count("main", 2);
    assertThat(object.served("main")).containsExactly(1, 2);
    Waits.until(() -> ActiveObjects.ref(object).node().equals(node(1)), "the news of the move");
  }

  @Test
  void anObjectOfThisJvmMovesThereAndBack() {
    var object = traveller(0);
    for (var i = 0; i < 6; i++) {
      object.count("main", i);
      move(object, (i + 1) % 3);
      assertThat(object.place()).isEqualTo("node-" + ((i + 1) % 3 + 1));
    }
    assertThat(object.served("main")).containsExactly(0, 1, 2, 3, 4, 5);
    move(object, 0);
    assertThat(object.place()).isEqualTo("node-1");
  }

  @Test
  void referencesAreEqualBeforeAndAfter() {
    var object = traveller(0);
    var hash = object.hashCode();
    var keys = new HashMap<Object, String>();
    keys.put(object, "known");

    move(object, 1);

    assertThat(object.hashCode()).isEqualTo(hash);
    assertThat(keys).containsKey(object);
    assertThat(object.isItself(object)).isTrue();
    assertThat(object.callerOf(witness(2))).isEqualTo("true");
    assertThat(witness(0).placeOf(object)).isEqualTo("node-2");
    assertThat(witness(1).placeOf(object)).isEqualTo("node-2");
    assertThat(witness(2).placeOf(object)).isEqualTo("node-2");
    assertThat(witness(2).nodeOf(object)).isEqualTo("node-2");
  }

  @Test
  void whatItHoldsMovesAlong() {
    var object = traveller(0);
    var cell = ActiveObjects.on(grid.get(2)).create(Cell.class);
    object.keep(List.of(cell, "text", new int[] {1, 2, 3}));

    move(object, 1);

    var kept = (List<?>) object.kept();
    assertThat(kept.get(0)).isEqualTo(cell);
    assertThat((int[]) kept.get(2)).containsExactly(1, 2, 3);
  }

  @Test
  void anObjectFollowsAnItinerary() {
    var object = traveller(0);

    object.tour(List.of(node(1), node(2), node(0)));

    Waits.until(() -> object.events().contains("at node-1") && object.events().size() > 8, "tour");
    assertThat(object.events())
        .containsExactly(
            "at node-1",
            "leaves node-1",
            "reaches node-2",
            "at node-2",
            "leaves node-2",
            "reaches node-3",
            "at node-3",
            "leaves node-3",
            "reaches node-1",
            "at node-1");
  }

  @Test
  void aMoveFollowsAnObjectThatIsJustLeaving() {
    var object = traveller(0);
    move(object, 1);
    var identity = grid.coordinator().node().moved().identityOf(Reference.require(object).target());
    var second = new CompletableFuture<CompletableFuture<Integer>>();
    MoveStep.follow(
        (step, at) -> {
          if (step == MoveStep.TAIL_END && at.equals(node(1))) { // the object has left this node
            second.complete(
                grid.member(1)
                    .mobility()
                    .mover()
                    .move(identity, node(0), TimeUnit.SECONDS.toNanos(60)));
          }
        });

    move(object, 2);

    valueOf(valueOf(second, "the second call of move"), "the second move");
    assertThat(object.place()).isEqualTo("node-1");
  }

  @Test
  void waitingCallsMoveAlong() {
    var object = traveller(0);
    object.waitAt("queue");
    var answers =
        IntStream.range(0, 20)
            .mapToObj(i -> ActiveObjects.ref(object).ask(it -> it.countAndAnswer("main", i)))
            .toList();
    var moved = ActiveObjects.ref(object).move(node(1));
    var late = ActiveObjects.ref(object).ask(it -> it.countAndAnswer("main", 20));
    Cell.gate("queue").countDown();

    valueOf(moved, "the move");
    for (var i = 0; i < 20; i++) {
      assertThat(valueOf(answers.get(i), "an answer")).isEqualTo(i);
    }
    assertThat(valueOf(late, "the last answer")).isEqualTo(20);
    assertThat(object.served("main")).isEqualTo(IntStream.rangeClosed(0, 20).boxed().toList());
  }

  @Test
  void callsOfEachSenderStayInOrderWhileItMoves() {
    var object = traveller(0);
    var senders = List.of(witness(0), witness(1), witness(2));
    var moves = 0;
    for (var round = 0; round < ROUNDS; round++) {
      var first = round * CALLS;
      List<CompletableFuture<Integer>> done = new ArrayList<>();
      for (var i = 0; i < senders.size(); i++) {
        var name = "sender " + i;
        done.add(
            ActiveObjects.ref(senders.get(i))
                .ask(it -> it.call(object, name, first, first + CALLS)));
      }
      do {
        move(object, ++moves % 3);
      } while (!done.stream().allMatch(CompletableFuture::isDone));
      done.forEach(each -> valueOf(each, "a sender"));
    }
    for (var i = 0; i < senders.size(); i++) {
      assertThat(object.served("sender " + i))
          .as("after %d moves", moves)
          .isEqualTo(IntStream.range(0, ROUNDS * CALLS).boxed().toList());
    }
  }

  @Test
  void anObjectThatCannotTravelGoesOn() {
    var object = traveller(0);
    object.keep("before");
    var refused = ActiveObjects.ref(object).tell(Traveller::hold);
    valueOf(refused, "the thread");

    assertThatThrownBy(() -> ActiveObjects.ref(object).move(node(1)).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("it goes on where it is")
        .hasMessageContaining("cannot encode 'Traveller.kept'")
        .hasMessageContaining("a thread runs in its own JVM");
    assertThat(object.place()).isEqualTo("node-1");
    assertThat(object.events()).containsExactly("leaves node-1", "reaches node-1");
  }

  @Test
  void aNodeThatHasMovedAnObjectKnowsWhereItIs() {
    var ref = ActiveObjects.ref(traveller(0));

    valueOf(ref.move(node(1)), "the move");
    assertThat(ref.node()).isEqualTo(node(1));
    valueOf(ref.move(node(2)), "the second move");
    assertThat(ref.node()).isEqualTo(node(2));
    assertThat(ref.stub().place()).isEqualTo("node-3");
  }

  @Test
  void largeArraysTravelWithTheirObjectAndStayWithOneThatDoesNotMove() {
    var object = traveller(0);
    object.keep(LARGE.clone());
    move(object, 1);
    assertThat(object.kept()).isEqualTo(LARGE);

    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.IMAGE_READ) {
            throw new IllegalStateException("the image is not read");
          }
        });
    try {
      assertThatThrownBy(() -> move(object, 2)).hasCauseInstanceOf(MoveException.class);
    } finally {
      MoveStep.follow(null);
    }
    assertThat(object.kept()).isEqualTo(LARGE);
    assertThat(object.place()).isEqualTo("node-2");
  }

  @Test
  void aRequestThatDoesNotEndRefusesTheMove() {
    var object = traveller(0);
    object.waitAt("patience");

    assertThatThrownBy(() -> ActiveObjects.ref(object).move(node(1), Duration.ofMillis(50)).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("PT0.05S");
    Cell.gate("patience").countDown();
    assertThat(object.place()).isEqualTo("node-1");
  }

  @Test
  void theEndFollowsTheObject() {
    var object = traveller(0);
    move(object, 1);

    valueOf(ActiveObjects.ref(object).terminate(), "the end");

    assertThatThrownBy(object::place).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void anObjectOutlivesTheNodesThatItHasLeft() {
    var object = traveller(0);
    var idle = witness(2);
    object.count("main", 1);
    move(object, 1);
    object.count("main", 2);
    assertThat(object.served("main")).containsExactly(1, 2);

    grid.kill(0);
    awaitDeath(node(0));

    object.count("main", 3);
    assertThat(object.served("main")).containsExactly(1, 2, 3);
    assertThat(idle.placeOf(object)).isEqualTo("node-2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallerThatDidNotKnowOfTheMoveFindsTheObjectAfterALoss(boolean isDeath) {
    var object = traveller(0);
    var other = witness(2);
    assertThat(other.placeOf(object)).isEqualTo("node-1");
    valueOf(ActiveObjects.ref(witness(1)).ask(it -> it.call(object, "x", 0, 2)), "calls");
    var same = object;
    move(object, 1);

    if (isDeath) {
      grid.kill(0);
    } else {
      grid.leave(0);
    }
    awaitDeath(node(0));

    assertThat(other.placeOf(same)).isEqualTo("node-2");
  }

  @Test
  void anObjectOfThisNodeMovesAway() {
    var object = ActiveObjects.here().create(Traveller.class);
    object.count("main", 1);
    for (var i = 2; i < 200; i++) {
      object.count("main", i);
      if (i % 50 == 0) {
        move(object, i / 50 % 3);
      }
    }

    assertThat(object.served("main")).isEqualTo(IntStream.range(1, 200).boxed().toList());
    assertThat(object.place()).isEqualTo("node-1");
    assertThat(witness(1).placeOf(object)).isEqualTo("node-1");
    valueOf(ActiveObjects.ref(object).terminate(), "the end");
    assertThatThrownBy(object::place).isInstanceOf(ObjectTerminatedException.class);
  }

  @Test
  void aStageThatIsAwaitedRunsBeforeTheMove() {
    var object = traveller(0);
    var other = traveller(2);
    object.keepWhenOpen(other, "stage");
    assertThat(object.kept()).isEqualTo(""); // else the request could move before it is served
    var moved = ActiveObjects.ref(object).move(node(1));
    assertThat(moved).isNotDone();
    Cell.gate("stage").countDown();

    valueOf(moved, "the move");
    assertThat(object.kept()).isEqualTo("opened");
    assertThat(object.place()).isEqualTo("node-2");
  }

  @Test
  void aCallOfATimeLimitEndsWithIt() {
    var object = traveller(0);
    move(object, 1);
    object.waitAt("late");
    var limited = ActiveObjects.ref(object).within(Duration.ofMillis(50));

    assertThatThrownBy(() -> limited.stub().place()).isInstanceOf(CallTimeoutException.class);
    Cell.gate("late").countDown();
    assertThat(object.place()).isEqualTo("node-2");
  }

  @Test
  void objectsThatCannotMoveSaySo() {
    assertThatThrownBy(() -> ActiveObjects.ref(traveller(0)).move(ActiveObjects.node().id()).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("belongs to no virtual node");
    assertThatThrownBy(() -> ActiveObjects.ref(traveller(0)).move(new NodeId("x", 1)).join())
        .hasCauseInstanceOf(MoveException.class)
        .hasMessageContaining("no member of the grid");
  }

  @Test
  void anObjectMovesAnother() {
    var object = traveller(0);

    assertThat(witness(2).moves(object, node(1))).isEqualTo("node-2");
    assertThat(witness(1).moves(object, node(2))).isEqualTo("node-3");
    assertThat(witness(0).moves(object, node(0))).isEqualTo("node-1");
  }

  @Test
  void anObjectIsLostWithItsNewNode() {
    var object = traveller(0);
    move(object, 1);
    assertThat(object.place()).isEqualTo("node-2");

    grid.kill(1);

    assertThatThrownBy(
            () -> {
              for (; ; ) {
                object.place();
              }
            })
        .isInstanceOf(NodeLostException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStageOfAMoveGetsTheFailureItself(boolean isHere) {
    var birthplace = isHere ? ActiveObjects.here() : ActiveObjects.on(grid.get(0));
    var traveller = ActiveObjects.ref(birthplace.create(Traveller.class));
    traveller.tell(Traveller::hold).join();
    var failure = traveller.move(node(1)).handle((_, why) -> why);
    assertThat(valueOf(failure, "the failure of the move")).isInstanceOf(MoveException.class);
  }
}
