package org.troupe.benchmarks.sides;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BinaryTreeTest {

  @Test
  void hasAsManyNodesAsAskedFor() {
    assertThat(BinaryTree.of(1).nodes()).isEqualTo(1);
    assertThat(BinaryTree.of(7).nodes()).isEqualTo(7);
    assertThat(BinaryTree.of(1023).nodes()).isEqualTo(1023);
  }
}
