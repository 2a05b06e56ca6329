package org.troupe.classics.lu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The residual of the factors of a small matrix. */
class LuResidualTest {

  private final BlockLayout layout = BlockLayout.over(1, 6, 3);
  private final double[][][][] blocks = layout.blocks(0);

  @BeforeEach
  void factor() {
    BlockKernels.factor(blocks[0][0]);
    BlockKernels.divideByUpper(blocks[1][0], blocks[0][0]);
    BlockKernels.divideByLower(blocks[0][1], blocks[0][0]);
    BlockKernels.subtract(blocks[1][1], blocks[1][0], blocks[0][1]);
    BlockKernels.factor(blocks[1][1]);
  }

  @Test
  void isBelowTheLimitForCorrectFactors() {
    assertThat(LuResidual.of(layout, blocks)).isLessThan(LuResidual.LIMIT);
  }

  @Test
  void exceedsTheLimitForOneWrongElement() {
    blocks[1][0][2][1] += 1e-9;

    assertThat(LuResidual.of(layout, blocks)).isGreaterThan(LuResidual.LIMIT);
  }
}
