package org.troupe.activeobjects.internal.membership;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** The nodes that may have copies of journals, as one node knows them. */
@Timeout(120)
class GridCopiesTest {

  private static void awaitMembers(GridCopies copies, NodeId... members) {
    Waits.until(
        () -> Set.copyOf(copies.members()).equals(Set.of(members)),
        "the members " + List.of(members));
  }

  @Test
  void aNodeKnowsThoseThatHaveJoinedBeforeItAskedAndThoseThatJoinAfterwards() {
    try (var grid = InProcessGrid.start(2)) {
      var copies = grid.member(0).memberships().copies();
      var main = grid.coordinator().node().id();
      awaitMembers(copies, main, grid.get(1).id());
      grid.join();
      awaitMembers(copies, main, grid.get(1).id(), grid.get(2).id());
      grid.kill(1);
      awaitMembers(copies, main, grid.get(2).id());
    }
  }

  @Test
  void aNodeThatHasLeftItsOldestGridKnowsTheMembersOfTheNextOne() {
    var first = InProcessGrid.start(1);
    try (var second = InProcessGrid.start(2)) {
      var copies = NodeRuntime.main().memberships().copies();
      try (first) {
        awaitMembers(copies, first.get(0).id());
      }
      awaitMembers(copies, second.get(0).id(), second.get(1).id());
    }
  }
}
