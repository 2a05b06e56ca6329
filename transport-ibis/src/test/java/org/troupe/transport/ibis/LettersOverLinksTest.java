package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Slice;
import org.troupe.groups.Spmd;
import org.troupe.links.Driver;

/** What members send each other, where the next letter is read while one is still filled in. */
@Timeout(120)
class LettersOverLinksTest {

  private static final int LETTERS = 2_000;
  private static final int NUMBERS = 2_000; // enough to travel apart from other bytes

  /** A member. */
  public static class Correspondent {

    private int wrong;

    public Correspondent() {}

    /** The first sends, the second receives each letter into the same array. */
    public void correspond() {
      var spmd = Spmd.here(Correspondent.class);
      var array = new double[NUMBERS];
      for (var i = 0; i < LETTERS; i++) {
        var number = (double) i;
        if (spmd.rank() == 0) {
          Arrays.fill(array, number);
          spmd.send(1, Slice.of(array));
        } else {
          spmd.receive(0, Slice.of(array));
          wrong += Arrays.stream(array).anyMatch(each -> each != number) ? 1 : 0;
        }
      }
    }

    public int wrong() {
      return wrong;
    }
  }

  @AfterEach
  void chooseNoMore() {
    Drivers.any();
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "UDS", "TCP"})
  void comeOneAfterTheOtherIntoOneArray(Driver driver) {
    Drivers.only(driver);
    try (var nodes = LocalNodes.start(2, new IbisTransport())) {
      var members = Group.of(Groups.on(nodes.nodes()).spmd(Correspondent.class));

      members.tell(Correspondent::correspond).join();

      assertThat(members.ask(Correspondent::wrong).toList()).containsExactly(0, 0);
    }
  }
}
