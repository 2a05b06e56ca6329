package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.moving.RelocationGrid.Located;
import org.troupe.activeobjects.internal.moving.RelocationGrid.Standing;
import org.troupe.activeobjects.internal.relocation.Place;

/** How a node understands the coordinator's answer about an object. */
class LocatedObjectTest {

  private static final NodeId BIRTH = new NodeId("birth", 1);
  private static final NodeId HOST = new NodeId("host", 2);

  private static Located located(NodeId node, int epoch) {
    return new Located(node, "", epoch, Standing.PRESENT, "", "", false, null);
  }

  @Test
  void anObjectThatTheCoordinatorHasForgottenHasEnded() {
    var forgotten = located(BIRTH, 0).after(new Place(HOST, 1));
    assertThat(forgotten.isLost()).isTrue();
    assertThat(Objects.requireNonNull(forgotten.end()).how()).isEqualTo(End.How.TERMINATED);
  }

  @Test
  void anObjectIsWhereTheCoordinatorSaysIfNoLaterPlaceIsKnown() {
    assertThat(located(BIRTH, 0).after(new Place(BIRTH, 0))).isEqualTo(located(BIRTH, 0));
    assertThat(located(BIRTH, 2).after(new Place(HOST, 1))).isEqualTo(located(BIRTH, 2));
  }
}
