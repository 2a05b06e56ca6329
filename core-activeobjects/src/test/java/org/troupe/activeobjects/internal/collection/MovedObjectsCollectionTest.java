package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A node keeps nothing of an object that has left it, or that has ended on it. */
@Timeout(120)
class MovedObjectsCollectionTest {

  private static InProcessGrid grid;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(3);
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private static Traveller on(int node, String name) {
    return ActiveObjects.on(grid.get(node)).create(Traveller.class, name);
  }

  private static void move(Traveller traveller, int node) {
    valueOf(ActiveObjects.ref(traveller).move(grid.get(node).id()), "the move to node " + node);
  }

  private static void assertGone(String copy) {
    assertThat(eventually(grid, () -> isGone(copy))).as(copy + " is collected").isTrue();
  }

  @Test
  void theNodesThatAnObjectHasLeftKeepNothingOfIt() {
    var traveller = on(0, "passing");
    move(traveller, 1);
    move(traveller, 2);
    move(traveller, 1);
    assertGone("passing at stop 1");
    assertGone("passing at stop 2");
    assertThat(traveller.stops()).isEqualTo(3);
    assertThat(isGone("passing at stop 3")).isFalse();
  }

  @Test
  void theNodeOnWhichAMovedObjectHasEndedKeepsNothingOfIt() {
    var traveller = on(0, "ending");
    move(traveller, 1);
    var end = valueOf(ActiveObjects.ref(traveller).terminate(), "the end");
    assertThat(end.how()).isEqualTo(End.How.TERMINATED);
    assertGone("ending at stop 1");
    assertThat(valueOf(ActiveObjects.ref(traveller).end(), "the end, asked for later").how())
        .isEqualTo(End.How.TERMINATED);
  }
}
