package org.troupe.benchmarks.em3d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.RoundSamples;

/** The model of a step, and the figures that the benchmark of the solver reads and combines. */
class StepTimeModelTest {

  @Test
  void aSingleNodeTakesTheTimeOfItsKernel() {
    assertThat(new StepTimeModel(10, 100, 1).millisPerStep(11, 1)).isCloseTo(0.06, within(1e-9));
  }

  @Test
  void onlyLatencyBeyondTheKernelCosts() {
    var model = new StepTimeModel(10, 0, 0);

    // Half of the cells take 30 us, of which 15 hide latency in each half of the step.
    assertThat(model.millisPerStep(11, 2)).isCloseTo(0.03, within(1e-9));
    assertThat(model.withLatencyMicros(15).millisPerStep(11, 2)).isCloseTo(0.03, within(1e-9));
    assertThat(model.withLatencyMicros(115).millisPerStep(11, 2)).isCloseTo(0.23, within(1e-9));
  }

  @Test
  void fitsLatencyAndRateToTwoCubes() {
    // 24 bytes for each of 2 * 10^2 and 2 * 20^2 faces: 4,800 and 19,200 of them.
    var model = StepTimeModel.fitted(10, 11, 0.2096, 21, 0.2384);

    assertThat(model.nanosPerByte()).isCloseTo(1, within(1e-9));
    assertThat(model.latencyMicros()).isCloseTo(100, within(1e-9));
  }

  @Test
  void fitsSendingToOneStep() {
    // The kernel takes 30 of 32 us; the rest sends 4,800 bytes twice.
    var model = StepTimeModel.fitted(10, 11, 0.002);

    assertThat(model.millisPerStep(11, 2)).isCloseTo(0.032, within(1e-9));
    assertThat(model.withLatencyMicros(115).millisPerStep(11, 2)).isCloseTo(0.232, within(1e-9));
  }

  @Test
  void readsTheOutputOfFortran() throws IOException {
    var output =
        """
        loop     1.3019 s   per step   65.09538 ms   rate    24.162 Mcell-steps/s
        resident memory     461.6 MiB  per cell    307.8 B
        """;

    assertThat(FortranSolver.parsed(output)).isEqualTo(new FortranSolver.Run(65.09538, 307.8));
    assertThatThrownBy(() -> FortranSolver.parsed("per step 1.0 ms"))
        .hasMessageContaining("did not print 'per cell'");
  }

  @Test
  void combinesFiguresTurnByTurn() {
    var samples = new RoundSamples();
    samples.add("one", 2);
    samples.add("one", 4);
    samples.add("two", 1);

    assertThat(samples.of("one", "two", (one, two) -> one / two))
        .isEqualTo(new FigureSpread(2, 2, 2));
    assertThat(samples.of("none")).isNull();
    assertThat(samples.of("one", "none", Double::sum)).isNull();
  }
}
