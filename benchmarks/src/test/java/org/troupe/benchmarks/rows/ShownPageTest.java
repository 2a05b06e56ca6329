package org.troupe.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShownPageTest {

  @Test
  void theGrowthIsTheSlopeOfTheNearestLine() {
    var minutes = List.of(0.0, 1.0, 2.0, 3.0);

    assertThat(ShownPage.slope(minutes, List.of(5.0, 7.0, 9.0, 11.0))).isEqualTo(2, within(1e-9));
    assertThat(ShownPage.slope(minutes, List.of(4.0, 6.0, 4.0, 6.0))).isEqualTo(0.4, within(1e-9));
    assertThat(ShownPage.slope(minutes, List.of(3.0, 3.0, 3.0, 3.0))).isZero();
  }
}
