package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.until;
import static org.troupe.activeobjects.Waits.valueOf;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.isGone;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** Nodes that do not count references, in a grid whose coordinator collects its objects. */
@Timeout(120)
class MixedCollectionModesTest {

  /** Starts nodes that do not count. */
  private static InProcessGrid start(int count) {
    assertThat(CollectedGrid.main().exports().areCounted()).isTrue();
    var before = System.setProperty("troupe.collect", "off");
    try {
      return InProcessGrid.start(count);
    } finally {
      if (before == null) {
        System.clearProperty("troupe.collect");
      } else {
        System.setProperty("troupe.collect", before);
      }
    }
  }

  private static Subject subject(InProcessGrid grid, int node) {
    return ActiveObjects.on(grid.get(node)).create(Subject.class, "");
  }

  private static Subject here(String name) {
    return ActiveObjects.here().create(Subject.class, name);
  }

  @Test
  void aCallerLivesThatANodeKeepsWhichDoesNotCount() {
    try (var grid = start(1)) {
      var keeper = subject(grid, 0);
      letKeep("kept by one that does not count", keeper);
      settle(grid);
      assertThat(isGone("kept by one that does not count")).isFalse();
      assertThat(keeper.nameOfKeptRef()).isEqualTo("kept by one that does not count");
    }
  }

  private static void letKeep(String name, Subject keeper) {
    here(name).callKeepCaller(keeper);
  }

  @Test
  void anObjectLivesThatALostNodeGaveToOneThatDoesNotCount() {
    try (var grid = start(2)) {
      var keeper = subject(grid, 1);
      give("given by the lost", subject(grid, 0), keeper);
      grid.kill(0);
      until(() -> !grid.get(0).isAlive(), "the death of the giver");
      settle(grid);
      assertThat(isGone("given by the lost")).isFalse();
      assertThat(keeper.nameOfKept()).isEqualTo("given by the lost");
    }
  }

  @Test
  void nodesThatDoNotCountForgetTheEarlierStaysOfAnObject() {
    try (var grid = start(2)) {
      var traveller = ActiveObjects.on(grid.get(0)).create(Traveller.class, "uncounted");
      for (var i = 1; i < 20; i++) {
        valueOf(ActiveObjects.ref(traveller).move(grid.get(i % 2).id()), "a move");
      }
      until(
          () -> {
            System.gc();
            return stays(grid, 0) <= 2 && stays(grid, 1) <= 1;
          },
          "the end of all stays but the first and the last");
      assertThat(traveller.stops()).isEqualTo(19);
    }
  }

  private static int stays(InProcessGrid grid, int node) {
    return grid.member(node).node().moved().stays();
  }

  private static void give(String name, Subject giver, Subject keeper) {
    giver.keep(here(name));
    giver.passOn(keeper);
  }
}
