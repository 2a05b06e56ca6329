package org.troupe.benchmarks.em3d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class RunPaceTest {

  private static final String REPORT =
      "{\"pace\": [[0, 1000], [10, 1200], [20, 1300], [30, 1420], [40, 1500]]}";

  @Test
  void givesTheTimeOfAStepInAPeriod() throws IOException {
    var pace = RunPace.of(REPORT);

    assertThat(pace.millisPerStep(1150, 2000)).hasValue(10); // of 10, 12 and 8
    assertThat(pace.millisPerStep(0, 2000)).hasValue(11); // and 20
  }

  @Test
  void givesNoTimeForTooFewSteps() throws IOException {
    assertThat(RunPace.of(REPORT).millisPerStep(1250, 1450)).isEmpty();
  }

  @Test
  void givesTheTimeAtWhichAFractionWasDone() throws IOException {
    assertThat(RunPace.of(REPORT).millisAt(0.3)).isEqualTo(1300);
    assertThat(RunPace.of(REPORT).millisAt(1)).isEqualTo(1500);
  }

  @Test
  void namesAMissingPace() {
    assertThatThrownBy(() -> RunPace.of("{}"))
        .isInstanceOf(IOException.class)
        .hasMessage("the solver's report has no pace");
  }
}
