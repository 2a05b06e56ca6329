package org.troupe.activeobjects.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.eventually;
import static org.troupe.activeobjects.internal.collection.CollectedGrid.settle;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** A JVM that opens one grid after the other keeps none that was closed. */
@Timeout(60)
class ClosedGridsTest {

  private static final int NODES = 2;

  @Test
  void theNodesOfAClosedGridAreCollected() {
    var closed = useAndClose();

    try (var next = InProcessGrid.start(1)) { // the JVM's own node remembers the last grid
      assertThat(eventually(next, () -> closed.stream().allMatch(node -> node.refersTo(null))))
          .as("the nodes are collected")
          .isTrue();
    }
  }

  /** Gives references to and from this JVM's own node, and returns the nodes. */
  private static List<WeakReference<NodeObjects>> useAndClose() {
    try (var grid = InProcessGrid.start(NODES)) {
      var keeper = ActiveObjects.on(grid.get(0)).create(Keeper.class);
      keeper.keep("there", ActiveObjects.on(grid.get(1)).create(Subject.class, "there"));
      keeper.keep("here", ActiveObjects.here().create(Subject.class, "here"));
      assertThat(keeper.callAll()).containsExactlyInAnyOrder("there", "here");
      settle(grid); // this node has told the others what it has received and dropped
      return IntStream.range(0, NODES)
          .mapToObj(grid::member)
          .map(member -> new WeakReference<>(member.node().objects()))
          .toList();
    }
  }
}
