package org.troupe.classics.lu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The factors of a small matrix, and what the residual says of them. */
class ResidualTest {

  private final Layout layout = Layout.over(1, 6, 3);
  private final double[][][][] blocks = layout.blocks(0);

  @BeforeEach
  void factor() {
    Block.factor(blocks[0][0]);
    Block.divideByUpper(blocks[1][0], blocks[0][0]);
    Block.divideByLower(blocks[0][1], blocks[0][0]);
    Block.subtract(blocks[1][1], blocks[1][0], blocks[0][1]);
    Block.factor(blocks[1][1]);
  }

  @Test
  void isRoundingWhereTheFactorsAreRight() {
    assertThat(Residual.of(layout, blocks)).isLessThan(Residual.LIMIT);
  }

  @Test
  void isLargeWhereOneNumberIsWrong() {
    blocks[1][0][2][1] += 1e-9;

    assertThat(Residual.of(layout, blocks)).isGreaterThan(Residual.LIMIT);
  }
}
