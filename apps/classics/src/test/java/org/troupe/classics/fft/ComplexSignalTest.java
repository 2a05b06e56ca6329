package org.troupe.classics.fft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComplexSignalTest {

  @Test
  void knowsTheTransformOfItsWave() {
    assertThat(transformed(ComplexSignal.wave(64, 0, 64)).errorAsSpectrum()).isLessThan(1e-14);
  }

  @Test
  void detectsTwoSwappedNumbers() {
    var spectrum = transformed(ComplexSignal.wave(64, 0, 64));
    var was = spectrum.re()[40];
    spectrum.re()[40] = spectrum.re()[41];
    spectrum.re()[41] = was;

    assertThat(spectrum.errorAsSpectrum()).isGreaterThan(1e-6);
  }

  /** Transforms by the definition. */
  private static ComplexSignal transformed(ComplexSignal signal) {
    var spectrum = ComplexSignal.zero(signal.length());
    for (var k = 0; k < signal.length(); k++) {
      for (var i = 0; i < signal.length(); i++) {
        var angle = -2 * Math.PI * (i * k % signal.length()) / signal.length();
        var cos = Math.cos(angle);
        var sin = Math.sin(angle);
        spectrum.re()[k] += signal.re()[i] * cos - signal.im()[i] * sin;
        spectrum.im()[k] += signal.re()[i] * sin + signal.im()[i] * cos;
      }
    }
    return spectrum;
  }
}
