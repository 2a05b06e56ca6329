package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.benchmarks.harness.RowGoal.Direction;

class RowGoalTest {

  private static boolean isMet(Direction direction, double ratio) {
    return RowGoal.ratio(direction, 2).isMetBy(1, ratio);
  }

  @Test
  void theBoundItselfBelongsToAtMostAndAtLeastOnly() {
    assertThat(isMet(Direction.AT_MOST, 2)).isTrue();
    assertThat(isMet(Direction.AT_LEAST, 2)).isTrue();
    assertThat(isMet(Direction.BELOW, 2)).isFalse();
    assertThat(isMet(Direction.ABOVE, 2)).isFalse();
  }

  @Test
  void eachDirectionIsMetOnItsOwnSide() {
    assertThat(isMet(Direction.AT_MOST, 1.9)).isTrue();
    assertThat(isMet(Direction.AT_MOST, 2.1)).isFalse();
    assertThat(isMet(Direction.AT_LEAST, 2.1)).isTrue();
    assertThat(isMet(Direction.AT_LEAST, 1.9)).isFalse();
  }

  @Test
  void oneIsMissedOnEitherSide() {
    var near = RowGoal.ratio(Direction.AWAY_FROM_ONE_AT_MOST, 0.5);
    assertThat(near.isMetBy(1, 0.5)).isTrue();
    assertThat(near.isMetBy(1, 1.5)).isTrue();
    assertThat(near.isMetBy(1, 0.4)).isFalse();
    assertThat(near.isMetBy(1, 1.6)).isFalse();
    assertThat(near).hasToString("ratio=1+-0.5");
  }

  @Test
  void aGoalOfOursDoesNotLookAtTheRatio() {
    assertThat(RowGoal.ours(Direction.AT_MOST, 200).isMetBy(150, 3000)).isTrue();
  }
}
