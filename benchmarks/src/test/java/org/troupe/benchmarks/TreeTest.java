package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TreeTest {

  @Test
  void hasAsManyNodesAsAskedFor() {
    assertThat(Tree.of(1).nodes()).isEqualTo(1);
    assertThat(Tree.of(7).nodes()).isEqualTo(7);
    assertThat(Tree.of(1023).nodes()).isEqualTo(1023);
  }
}
