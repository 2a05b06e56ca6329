package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SolverRunTest {

  @Test
  void readsTheStepAndTheWaitFromTheSolversReport() throws IOException {
    var run =
        SolverRun.of(
            "{\n  \"secondsPerStep\": 2.0E-2,\n  \"haloWaitFraction\": 0.25, \"haloBytesPerStep\": 96, \"peakRssBytes\": 600, \"nodesPeakRssBytes\": 450,  \"cells\": 3}");
    assertThat(run.millisPerStep()).isCloseTo(20, within(1e-9));
    assertThat(run.waitMillisPerStep()).isCloseTo(5, within(1e-9));
    assertThat(run.bytesPerCell()).isEqualTo(200);
    assertThat(run.nodeBytesPerCell()).isEqualTo(150);
  }

  @Test
  void namesWhatAReportLacks() {
    assertThatThrownBy(() -> SolverRun.of("{\"secondsPerStep\": 1}"))
        .isInstanceOf(IOException.class)
        .hasMessage("the solver's report has no haloWaitFraction");
  }
}
