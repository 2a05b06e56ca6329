package org.troupe.benchmarks.em3d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SolverRunTest {

  @Test
  void readsAWarmStepAndTheWaitFromTheSolversReport() throws IOException {
    var run =
        SolverRun.of(
            "{\n  \"pace\": [[0, 0], [10, 900], [20, 1000], [30, 1200], [40, 1400]], \"secondsPerStep\": 3.5E-2,\n  \"haloWaitFraction\": 0.25, \"haloBytesPerStep\": 96, \"peakRssBytes\": 600, \"nodesPeakRssBytes\": 450,  \"cells\": 3, \"kernel\": \"scalar, unrolled\"}");
    assertThat(run.millisPerStep()).isCloseTo(20, within(1e-9));
    assertThat(run.waitMillisPerStep()).isCloseTo(5, within(1e-9));
    assertThat(run.bytesPerCell()).isEqualTo(200);
    assertThat(run.nodeBytesPerCell()).isEqualTo(150);
    assertThat(run.kernel()).isEqualTo("scalar; unrolled"); // without a comma, for notes in CSV
  }

  @Test
  void namesAMissingFigure() {
    assertThatThrownBy(() -> SolverRun.of("{\"pace\": [[0, 0]], \"secondsPerStep\": 1}"))
        .isInstanceOf(IOException.class)
        .hasMessage("the solver's report has no haloWaitFraction");
  }
}
