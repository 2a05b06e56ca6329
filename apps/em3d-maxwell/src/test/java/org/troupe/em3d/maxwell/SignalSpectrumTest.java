package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SignalSpectrumTest {

  @Test
  void namesTheResonancesOfASignal() {
    var samples = new double[2000];
    Arrays.setAll(samples, k -> 3 + Math.cos(2.5 * 0.05 * k) + 0.3 * Math.sin(4.0 * 0.05 * k));

    var spectrum = SignalSpectrum.of(samples, 0.05, 9);

    assertThat(spectrum.resonances()).hasSize(2);
    assertThat(spectrum.resonances().get(0).omega()).isCloseTo(2.5, within(1e-3));
    assertThat(spectrum.resonances().get(0).amplitude()).isCloseTo(1, within(1e-2));
    assertThat(spectrum.resonances().get(1).omega()).isCloseTo(4.0, within(1e-3));
    assertThat(spectrum.resonances().get(1).amplitude()).isCloseTo(0.3, within(1e-2));
    var strongest = (int) Math.round(2.5 / spectrum.spacing());
    assertThat(spectrum.amplitudes()[strongest]).isCloseTo(1, within(0.05));
  }

  @Test
  void aPulseHasABroadSpectrumAndNoResonance() {
    var samples = new double[2000];
    Arrays.setAll(samples, k -> (k - 400) * Math.exp(-Math.pow((k - 400) / 40.0, 2)));

    var spectrum = SignalSpectrum.of(samples, 0.05, 9);

    assertThat(spectrum.resonances()).isEmpty();
    assertThat(spectrum.shown() * spectrum.spacing()).isBetween(1.0, 5.0);
  }

  @Test
  void ofSilenceHasNone() {
    assertThat(SignalSpectrum.of(new double[100], 1, 5).resonances()).isEmpty();
  }
}
