package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static final int SLICES = 5;

  private final WarmUp warmUp = new WarmUp(1, 10);

  /** A measurement whose blocks have these figures; the last one repeats. */
  private static TurnProtocol.Measure falling(double... blocks) {
    var slice = new int[1];
    return _ -> blocks[Math.min(slice[0]++ / SLICES, blocks.length - 1)];
  }

  @Test
  void endsWhenThreeBlocksAreAlike() throws Exception {
    assertThat(warmUp.run(falling(90, 50, 20, 10))).isEqualTo(6);
  }

  @Test
  void aPlateauOfTwoBlocksIsNotTheEnd() throws Exception {
    assertThat(warmUp.run(falling(50, 50, 20, 20, 10))).isEqualTo(7);
  }

  @Test
  void smallDifferencesDoNotMatter() throws Exception {
    assertThat(warmUp.run(falling(100, 103, 99))).isEqualTo(3);
  }

  @Test
  void oneDisturbedSliceDoesNotMatter() throws Exception {
    var slice = new int[1];
    assertThat(warmUp.run(_ -> slice[0]++ % SLICES == 0 ? 500 : 10)).isEqualTo(3);
  }

  @Test
  void endsWhereNothingSettles() throws Exception {
    var slice = new int[1];
    assertThat(warmUp.run(_ -> ++slice[0])).isEqualTo(10);
  }
}
