package org.troupe.deployment.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.troupe.deployment.ssh.UserKeys;

/** The shape of the launch tree. */
class LaunchTreeTest {

  private static int[] parents(int fanOut, int hosts) {
    var branches = new LaunchTree(fanOut, new UserKeys());
    return IntStream.range(0, hosts).map(host -> branches.parent(host).orElse(-1)).toArray();
  }

  @Test
  void dealsEachLevelOutToTheOneBefore() {
    assertThat(parents(2, 9)).containsExactly(-1, -1, 0, 1, 0, 1, 2, 3, 4);
  }

  @Test
  void startsAThousandHostsInTwoLevels() {
    var parents = parents(LaunchTree.FAN_OUT, 1000);

    assertThat(Arrays.stream(parents).filter(parent -> parent < 0)).hasSize(32);
    assertThat(Arrays.stream(parents).max()).hasValue(31);
    for (var each = 0; each < LaunchTree.FAN_OUT; each++) {
      var parent = each;
      assertThat(Arrays.stream(parents).filter(other -> other == parent).count())
          .isBetween(30L, 31L);
    }
  }
}
