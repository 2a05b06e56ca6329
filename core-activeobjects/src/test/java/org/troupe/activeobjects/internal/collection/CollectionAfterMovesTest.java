package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.fault.CopyStep;
import org.troupe.activeobjects.internal.object.Reference;

/**
 * An object that has moved lives as long as any node can call it, and is collected when none can.
 */
@Timeout(120)
class CollectionAfterMovesTest extends TravellersGrid {

  private static final int OTHERS = Integer.getInteger("troupe.moves", 200);

  private void moveAndDrop(String name, int... route) {
    var traveller = traveller(name).stub();
    move(traveller, route);
    assertThat(traveller.stops()).isEqualTo(route.length);
  }

  private void moveAndGive(String name, int keeper, int... route) {
    var traveller = traveller(name).stub();
    move(traveller, route);
    hosts.get(keeper).keep(traveller);
  }

  private void assertCollected(String name, int stop) {
    var copy = Traveller.copy(name, stop);
    assertThat(eventually(grid, () -> isGone(copy))).as(copy + " is collected").isTrue();
  }

  private void assertAlive(String name, int stop) {
    settle(grid);
    settle(grid);
    var copy = Traveller.copy(name, stop);
    assertThat(isGone(copy)).as(copy + " is collected").isFalse();
  }

  /** Waits until a host holds an object weakly that has moved to it. */
  private void assertReleased(int host) {
    var isReleased = new AtomicBoolean();
    CopyStep.follow(
        (step, node) -> {
          if (step == CopyStep.RELEASED && node.equals(grid.get(host).id())) {
            isReleased.set(true);
          }
        });
    try {
      assertThat(eventually(grid, isReleased::get)).as("node " + host + " releases it").isTrue();
    } finally {
      CopyStep.follow(null);
    }
  }

  @Test
  void anObjectThatHasMovedIsCollectedOnAllNodes() {
    moveAndDrop("moved once", 1);
    assertCollected("moved once", 1);
  }

  @Test
  void anObjectThatHasMovedTwiceIsCollectedOnAllNodes() {
    moveAndDrop("moved twice", 1, 2);
    assertCollected("moved twice", 2);
  }

  @Test
  void anObjectThatHasMovedBackToAFormerHostIsCollectedOnAllNodes() {
    moveAndDrop("moved back", 1, 2, 1, 3, 1);
    assertCollected("moved back", 5);
  }

  @Test
  void anObjectThatHasComeHomeIsCollectedOnAllNodes() {
    moveAndDrop("home again", 1, BIRTH);
    assertCollected("home again", 2);
    moveAndDrop("home twice", 1, BIRTH, 2, BIRTH);
    assertCollected("home twice", 4);
    moveAndDrop("away again", 1, BIRTH, 2);
    assertCollected("away again", 3);
  }

  @Test
  void anObjectThatHasComeHomeLivesWhileAnotherNodeRefersToIt() {
    moveAndGive("referred to at home", 2, 1, BIRTH);
    assertAlive("referred to at home", 2);
    assertThat(hosts.get(2).stopsOf("referred to at home")).isEqualTo(2);
    hosts.get(2).hand("referred to at home", hosts.get(BIRTH));
    hosts.get(2).drop("referred to at home");
    assertAlive("referred to at home", 2);
    assertThat(hosts.get(BIRTH).stopsOf("referred to at home")).isEqualTo(2);
    hosts.get(BIRTH).drop("referred to at home");
    assertCollected("referred to at home", 2);
  }

  @Test
  void anObjectLivesWhileAThirdNodeRefersToIt() {
    moveAndGive("referred to", 3, 1, 2);
    assertAlive("referred to", 2);
    assertThat(hosts.get(3).stopsOf("referred to")).isEqualTo(2);
    hosts.get(3).drop("referred to");
    assertCollected("referred to", 2);
  }

  @Test
  void anObjectLivesWhileItsHostRefersToIt() {
    moveAndGive("at home elsewhere", 1, 1);
    assertAlive("at home elsewhere", 1);
    assertThat(hosts.get(1).stopsOf("at home elsewhere")).isEqualTo(1);
    hosts.get(1).hand("at home elsewhere", hosts.get(2));
    hosts.get(1).drop("at home elsewhere");
    assertAlive("at home elsewhere", 1);
    assertThat(hosts.get(2).stopsOf("at home elsewhere")).isEqualTo(1);
    hosts.get(2).drop("at home elsewhere");
    assertCollected("at home elsewhere", 1);
  }

  @Test
  void theNodeOfTheBirthCanBeGivenAReferenceAgain() {
    moveAndGive("missed at home", 1, 1);
    assertAlive("missed at home", 1); // and its birthplace has cleared the body that it left
    hosts.get(1).hand("missed at home", hosts.get(BIRTH));
    hosts.get(1).drop("missed at home");
    assertAlive("missed at home", 1);
    assertThat(hosts.get(BIRTH).stopsOf("missed at home")).isEqualTo(1);
    hosts.get(BIRTH).move("missed at home", grid.get(2).id());
    assertThat(hosts.get(BIRTH).stopsOf("missed at home")).isEqualTo(2);
    hosts.get(BIRTH).drop("missed at home");
    assertCollected("missed at home", 2);
  }

  @Test
  void anObjectIsCollectedThatHasCalledOthersWhichDidNotReferToIt() {
    moveAndVisit("visitor", 1, 2);
    assertCollected("visitor", 2);
  }

  private void moveAndVisit(String name, int... route) {
    var traveller = traveller(name).stub();
    move(traveller, route);
    assertThat(traveller.visit(hosts.get(3))).isEqualTo(3);
    traveller.visitLater(hosts.get(BIRTH));
  }

  @Test
  void anObjectIsHeldForGoodAfterANodeHasReferredToItThatItHasCalled() {
    moveAndIntroduce("caller", 3, true, 1);
    moveAndIntroduce("later caller", 3, false, 1, 2);
    moveAndIntroduce("caller at home", 3, true, 1, BIRTH);
    assertAlive("caller", 1);
    assertAlive("later caller", 2);
    assertAlive("caller at home", 2);
    for (var name : List.of("caller", "later caller", "caller at home")) {
      assertThat(hosts.get(3).stopsOf(name)).isPositive();
      hosts.get(3).drop(name);
    }
    assertAlive("caller", 1);
    assertAlive("later caller", 2);
    assertAlive("caller at home", 2);
  }

  private void moveAndIntroduce(String name, int keeper, boolean waits, int... route) {
    var traveller = traveller(name).stub();
    move(traveller, route);
    if (waits) {
      traveller.introduceTo(hosts.get(keeper));
    } else {
      traveller.introduceLaterTo(hosts.get(keeper));
    }
  }

  @Test
  void anObjectLivesWhileItsBirthplaceRefersToItThatItHasCalled() {
    moveAndIntroduce("caller of home", BIRTH, true, 1);
    moveAndIntroduce("later caller of home", BIRTH, false, 1, 2);
    assertAlive("caller of home", 1);
    assertAlive("later caller of home", 2);
    assertThat(hosts.get(BIRTH).stopsOf("caller of home")).isEqualTo(1);
    assertThat(hosts.get(BIRTH).stopsOf("later caller of home")).isEqualTo(2);
  }

  @Test
  void aReleasedObjectIsHeldForGoodAfterAReferenceWasMadeOfItsName() {
    var number = moveAndKeepAtHost("named", 1);
    assertReleased(1);
    grid.member(BIRTH).node().objects().exports().named(number); // as an image lets it
    settle(grid);
    hosts.get(1).drop("named");
    assertAlive("named", 1);
  }

  /** Returns the number by which its birthplace knows the object. */
  private long moveAndKeepAtHost(String name, int host) {
    var traveller = traveller(name).stub();
    move(traveller, host);
    hosts.get(host).keep(traveller);
    return Reference.require(traveller).target().number();
  }

  @Test
  void anObjectMovesOnAfterItWasReleased() {
    moveAndGive("moves on", 1, 1);
    assertReleased(1);
    hosts.get(1).move("moves on", grid.get(2).id());
    assertAlive("moves on", 2);
    assertThat(hosts.get(1).stopsOf("moves on")).isEqualTo(2);
    hosts.get(1).drop("moves on");
    assertCollected("moves on", 2);
  }

  @Test
  void aCallIsServedAfterItsSenderHasDroppedTheObject() {
    for (var i = 0; i < 20; i++) {
      var name = "called last " + i;
      moveAndGive(name, 3, 1, 2);
      hosts.get(3).letWorkAndDrop(name);
      assertCollected(name, 2);
      assertThat(Traveller.done(name)).isEqualTo(1);
    }
  }

  @Test
  void anObjectLivesWhileItServes() {
    moveAndLetWait("serving", "gate of the serving");
    assertAlive("serving", 1);
    Cell.gate("gate of the serving").countDown();
    assertCollected("serving", 1);
  }

  private void moveAndLetWait(String name, String gate) {
    var traveller = traveller(name).stub();
    move(traveller, 1);
    traveller.waitAt(gate);
    traveller.work();
  }

  @Test
  void theEndOfACollectedObjectIsReportedWhereverItIsAwaited() {
    List<CompletableFuture<End>> ends = new ArrayList<>();
    ends.add(endBeforeMove("ended after the first move"));
    ends.add(endAfterMove("ended after moves"));
    assertCollected("ended after the first move", 1);
    assertCollected("ended after moves", 2);
    moveAndGive("ended by its last holder", 3, 1, 2);
    hosts.get(3).awaitEnd("ended by its last holder");
    hosts.get(3).drop("ended by its last holder");
    assertCollected("ended by its last holder", 2);
    for (var end : ends) {
      assertThat(valueOf(end, "the end").how()).isEqualTo(End.How.COLLECTED);
    }
    assertThat(hosts.get(3).howEnded("ended by its last holder")).isEqualTo(End.How.COLLECTED);
  }

  private CompletableFuture<End> endBeforeMove(String name) {
    var traveller = traveller(name).stub();
    var end = ActiveObjects.ref(traveller).end();
    move(traveller, 1);
    return end;
  }

  private CompletableFuture<End> endAfterMove(String name) {
    var traveller = traveller(name).stub();
    move(traveller, 1);
    var end = ActiveObjects.ref(traveller).end();
    move(traveller, 2);
    return end;
  }

  @Test
  void theEndOfAnObjectIsReportedOnANodeThatItHasLeft() {
    moveAndGive("ending elsewhere", BIRTH, 1);
    hosts.get(BIRTH).awaitEnd("ending elsewhere");
    hosts.get(BIRTH).drop("ending elsewhere");
    assertCollected("ending elsewhere", 1);
    assertThat(hosts.get(BIRTH).howEnded("ending elsewhere")).isEqualTo(End.How.COLLECTED);
    moveAndGive("ending abroad", 1, 1);
    hosts.get(1).awaitEnd("ending abroad"); // before it leaves
    hosts.get(1).move("ending abroad", grid.get(2).id());
    hosts.get(1).awaitEndAgain("ending abroad");
    hosts.get(1).terminate("ending abroad");
    assertThat(hosts.get(1).howEnded("ending abroad")).isEqualTo(End.How.TERMINATED);
    assertThat(hosts.get(1).howEnded("ending abroad again")).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void anObjectOutlivesTheNodeOfItsBirth() {
    moveAndGive("outliving", 2, 1);
    kill(BIRTH);
    assertAlive("outliving", 1);
    assertThat(hosts.get(2).stopsOf("outliving")).isEqualTo(1);
    hosts.get(2).drop("outliving");
    assertAlive("outliving", 1); // as no node has its list
  }

  @Test
  void aReleasedObjectIsHeldAgainAfterTheLossOfTheNodeOfItsBirth() {
    moveAndKeepAtHost("orphan", 1);
    assertReleased(1);
    kill(BIRTH);
    settle(grid);
    hosts.get(1).drop("orphan");
    assertAlive("orphan", 1);
  }

  @Test
  void anObjectIsHeldForGoodAfterTheLossOfANodeThatMayHaveReferredToIt() {
    moveAndGive("from the dead", 3, 1);
    hosts.get(3).hand("from the dead", hosts.get(2));
    kill(3);
    assertAlive("from the dead", 1);
    assertThat(hosts.get(2).stopsOf("from the dead")).isEqualTo(1);
    hosts.get(2).drop("from the dead");
    assertAlive("from the dead", 1);
  }

  @Test
  void anObjectIsCollectedThatHasLeftItsBirthplaceAfterALoss() {
    kill(3);
    settle(grid); // its birthplace has heard of the loss
    moveAndGive("late leaver", 1, 2);
    assertAlive("late leaver", 1);
    hosts.get(1).drop("late leaver");
    assertCollected("late leaver", 1);
  }

  @Test
  void manyMovedObjectsAreCollected() {
    for (var i = 0; i < OTHERS; i++) {
      moveAndDrop("one of many " + i, 1 + i % 3);
    }
    for (var i = 0; i < OTHERS; i++) {
      assertCollected("one of many " + i, 1);
    }
  }
}
