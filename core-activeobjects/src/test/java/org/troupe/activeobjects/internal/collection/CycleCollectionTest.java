package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Cycles over several nodes are collected if nothing else refers to them. */
@Timeout(120)
class CycleCollectionTest {

  private static final int NODES = 3;

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    assertThat(CollectedGrid.main().exports().findsCycles()).as("main leads rounds").isFalse();
    grid =
        withProperty(
            "troupe.collect",
            "cycles",
            () ->
                withProperty("troupe.collect.idle", "PT0.001S", () -> InProcessGrid.start(NODES)));
  }

  private static <T> T withProperty(String name, String value, Supplier<T> action) {
    var before = System.setProperty(name, value);
    try {
      return action.get();
    } finally {
      if (before == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, before);
      }
    }
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  @AfterEach
  void letGo() {
    Link.letGo();
  }

  private static Link on(int node, String name) {
    return ActiveObjects.on(grid.get(node)).create(Link.class, name);
  }

  /**
   * Runs rounds of trials, as the coordinator does; the first finds the objects without requests
   * since.
   */
  private static void rounds() {
    for (var i = 0; i < 3; i++) {
      settle(grid);
      grid.coordinator().cycles().round();
    }
  }

  /** Runs rounds of trials until they are to end. */
  private static CompletableFuture<Void> roundsUntil(AtomicBoolean isOver) {
    return CompletableFuture.runAsync(
        () -> {
          while (!isOver.get()) {
            grid.coordinator().cycles().round();
          }
        });
  }

  /** Returns the objects of a new ring over all nodes. */
  private static List<Link> ring(String name, int size) {
    List<Link> ring = new ArrayList<>();
    for (var i = 0; i < size; i++) {
      ring.add(on(i % NODES, name + i));
    }
    for (var i = 0; i < size; i++) {
      ring.get(i).add(ring.get((i + 1) % size));
    }
    return ring;
  }

  private static boolean isGone(String name, int size) {
    for (var i = 0; i < size; i++) {
      if (!CollectedGrid.isGone(name + i)) {
        return false;
      }
    }
    return true;
  }

  private static void assertCollected(String name, int size) {
    assertThat(
            eventually(
                grid,
                () -> {
                  grid.coordinator().cycles().round();
                  return isGone(name, size) && bodies() == 0;
                }))
        .as(name + "is collected")
        .isTrue();
  }

  /** Returns how many objects of users the nodes have, those on trial included. */
  private static int bodies() {
    var count = 0;
    for (var i = 0; i < NODES; i++) {
      count += grid.member(i).node().objects().bodies().size() - 1;
    }
    return count + cleared();
  }

  @Test
  void aRingOverAllNodesIsCollected() {
    makeRing("ring ", 7);
    assertCollected("ring ", 7);
  }

  private static void makeRing(String name, int size) {
    ring(name, size);
  }

  @Test
  void theEndOfAnObjectOfARingIsThatItWasCollected() {
    var end = endOfRing();
    assertCollected("ended ", 2);
    assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.COLLECTED);
  }

  private static CompletableFuture<End> endOfRing() {
    return ActiveObjects.ref(ring("ended ", 2).getFirst()).end();
  }

  @Test
  void aRingThatAStubRefersToLivesAndKeepsItsState() {
    var first = ring("held ", 4).getFirst();
    assertThat(first.call(3)).isEqualTo(1);
    rounds();
    assertThat(first.call(3)).isEqualTo(2);
    forget(first);
  }

  private static void forget(Link first) {
    first.drop();
  }

  @Test
  void aRingThatAStaticFieldOfAMemberRefersToLives() {
    holdByField("in a field ");
    rounds();
    var caller = on(1, "");
    assertThat(caller.callHeld("stub", 0)).isEqualTo(1);
    assertThat(caller.callHeld("stub", 0)).isEqualTo(2);
  }

  private static void holdByField(String name) {
    ring(name, 2).getFirst().holdNext("stub");
  }

  @Test
  void anObjectThatItsJvmRefersToDirectlyStaysTheSame() {
    var other = ringWithHeldObject();
    rounds();
    assertThat(other.call(1)).isEqualTo(1);
    assertThat(other.callHeld("itself", 0)).as("calls of the object itself").isEqualTo(2);
    forget(other);
  }

  private static Link ringWithHeldObject() {
    var ring = ring("itself ", 2);
    ring.getFirst().holdThis("itself");
    return ring.getLast();
  }

  @Test
  void aRingWithABranchToALivingObjectIsCollectedWithoutIt() {
    var living = on(0, "living");
    makeRingTo(living);
    assertThat(
            eventually(
                grid,
                () -> {
                  grid.coordinator().cycles().round();
                  return isGone("branch ", 3) && bodies() == 1;
                }))
        .as("the ring is collected")
        .isTrue();
    assertThat(living.call(0)).isEqualTo(1);
  }

  private static void makeRingTo(Link living) {
    ring("branch ", 3).forEach(each -> each.add(living));
  }

  @Test
  void aRingThatIsCalledDuringItsTrialWorks() {
    var caller = on(1, "");
    holdByField("called ");
    var isOver = new AtomicBoolean();
    var rounds = roundsUntil(isOver);
    for (var calls = 1; calls <= 3; calls++) {
      untilOnTrial();
      assertThat(caller.callHeld("stub", calls % 2)).as("calls of one of them").isPositive();
    }
    isOver.set(true);
    rounds.join();
    assertThat(caller.callHeld("stub", 0)).as("calls counted").isEqualTo(4);
    assertThat(caller.callHeld("stub", 1)).as("calls of the other counted").isEqualTo(3);
  }

  /**
   * Waits until two objects are on trial. An object that has outlived many young collections
   * between trials is old, and only a full collection clears it.
   */
  private static void untilOnTrial() {
    until(
        () -> {
          System.gc();
          return cleared() == 2;
        },
        "both objects are on trial, and exist as images only");
  }

  private static int cleared() {
    var count = 0;
    for (var i = 0; i < NODES; i++) {
      count += grid.member(i).node().objects().exports().cleared().size();
    }
    return count;
  }

  @Test
  void anObjectMovesDuringItsTrial() {
    var caller = on(1, "");
    holdByField("moved ");
    assertThat(caller.callHeld("stub", 0)).isEqualTo(1);
    var isOver = new AtomicBoolean();
    var rounds = roundsUntil(isOver);
    untilOnTrial();
    caller.moveHeld("stub", grid.get(2).id());
    assertThat(caller.callHeld("stub", 0)).isEqualTo(2);
    isOver.set(true);
    rounds.join();
    assertThat(caller.callHeld("stub", 1)).isEqualTo(1);
    caller.endHeld("stub"); // a moved object is not collected, nor is one that has called it
    ActiveObjects.ref(caller).terminate().join();
  }

  @Test
  void objectsOnTrialAreListed() {
    holdByField("listed ");
    var isOver = new AtomicBoolean();
    var rounds = roundsUntil(isOver);
    untilOnTrial();
    var listed = 0L;
    for (var i = 0; i < NODES; i++) {
      var query = new ObjectQuery(Link.class.getName(), 10);
      listed +=
          valueOf(grid.coordinator().objects(grid.get(i), query), "a report").total().objects();
    }
    assertThat(listed).isGreaterThanOrEqualTo(2);
    isOver.set(true);
    rounds.join();
  }
}
