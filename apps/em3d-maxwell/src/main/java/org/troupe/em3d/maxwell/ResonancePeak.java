package org.troupe.em3d.maxwell;

/**
 * A peak in the spectrum of a signal.
 *
 * @param omega its angular frequency
 * @param amplitude its amplitude, as seen through the window
 */
public record ResonancePeak(double omega, double amplitude) {

  /** The half width of the search range, relative to the expected frequency. */
  private static final double RANGE = 0.4;

  /**
   * Finds the peak of the signal's Fourier integral through Hann's window, within 40 % of an
   * expected frequency.
   *
   * <p>The window's main lobe is {@code 4 pi / T} wide to either side, T being the time of all
   * samples: a second resonance nearer than that would shift the peak.
   *
   * @param samples of the signal, the first at time 0
   * @param interval time between samples
   * @param expected angular frequency near which to search
   */
  public static ResonancePeak of(double[] samples, double interval, double expected) {
    return between(samples, interval, (1 - RANGE) * expected, (1 + RANGE) * expected);
  }

  /**
   * Finds the peak of the signal's Fourier integral through Hann's window, between two angular
   * frequencies.
   *
   * @param lowest the lower end of the search range, above 0
   * @param highest the upper end of the search range
   */
  static ResonancePeak between(double[] samples, double interval, double lowest, double highest) {
    if (samples.length < 3) {
      throw new IllegalArgumentException(
          "%d samples show no oscillation; record at least 3".formatted(samples.length));
    }
    double[] windowed = new double[samples.length];
    double weight = 0;
    for (int k = 0; k < samples.length; k++) {
      double hann = 0.5 - 0.5 * Math.cos(2 * Math.PI * k / (samples.length - 1));
      windowed[k] = hann * samples[k];
      weight += hann;
    }
    // Ten points per half lobe cannot miss the maximum; golden-section search then locates it.
    double resolution = 2 * Math.PI / (interval * samples.length) / 10;
    double best = lowest;
    double strongest = -1;
    for (double omega = lowest; omega <= highest; omega += resolution) {
      double strength = strength(windowed, interval, omega);
      if (strength > strongest) {
        strongest = strength;
        best = omega;
      }
    }
    double low = best - resolution;
    double high = best + resolution;
    double golden = (Math.sqrt(5) - 1) / 2;
    while (high - low > 1e-9 * highest) {
      double left = high - golden * (high - low);
      double right = low + golden * (high - low);
      if (strength(windowed, interval, left) > strength(windowed, interval, right)) {
        high = right;
      } else {
        low = left;
      }
    }
    double omega = (low + high) / 2;
    // Half the amplitude of a cosine belongs to the positive frequency, half to the negative one.
    return new ResonancePeak(omega, 2 * strength(windowed, interval, omega) / weight);
  }

  private static double strength(double[] windowed, double interval, double omega) {
    double real = 0;
    double imaginary = 0;
    for (int k = 0; k < windowed.length; k++) {
      double phase = omega * interval * k;
      real += windowed[k] * Math.cos(phase);
      imaginary += windowed[k] * Math.sin(phase);
    }
    return Math.hypot(real, imaginary);
  }
}
