package org.troupe.benchmarks.models;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.tasks.Tasks;

class LeafTreeTest {

  @Test
  void runsEachLeafOnce() {
    try (var tasks = Tasks.here(2)) {
      assertThat(tasks.run(new LeafTree(index -> index, 0, 101))).isEqualTo(5050);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COARSE", "IRREGULAR"})
  void leavesHaveTheTotalThatIsComputedQuickly(LeafLoad load) {
    var sum = 0L;
    for (var leaf = 0; leaf < load.leaves(); leaf++) {
      sum += load.run(leaf);
    }
    assertThat(sum).isEqualTo(load.total());
  }
}
