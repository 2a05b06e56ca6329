package org.troupe.em3d.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepPaceTest {

  @Test
  void warmUpEndsWithTheFirstIntervalOfTheUsualTime() {
    var pace = new StepPace();
    pace.begin(1_000);
    pace.pass(0, 2_000);
    pace.pass(10, 3_000); // 100 a step
    pace.pass(20, 3_500);
    pace.pass(30, 3_620); // 12 a step
    pace.pass(40, 3_720);
    pace.pass(50, 3_820);
    pace.pass(59, 3_910);

    assertThat(pace.warmUpNanos()).isEqualTo(2_620);
  }

  @Test
  void aRunWithoutIntervalsHasNoWarmUp() {
    var pace = new StepPace();
    pace.begin(1_000);
    pace.pass(0, 2_000);

    assertThat(pace.warmUpNanos()).isZero();
  }
}
