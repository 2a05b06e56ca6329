package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The amplitude spectrum of a signal through Hann's window, and its resonances.
 *
 * @param spacing the distance of two angular frequencies, the first of which is 0
 * @param amplitudes the amplitude of a cosine at each frequency
 * @param resonances the peaks, in the order of frequencies
 */
public record SignalSpectrum(double spacing, double[] amplitudes, List<ResonancePeak> resonances) {

  private static final int FINENESS = 4; // frequencies per independent frequency of the samples
  private static final double FAINTEST =
      0.02; // the least amplitude of a peak, relative to the largest
  private static final double LOBE =
      2; // the half width of Hann's main lobe, in independent frequencies
  private static final double BEYOND =
      1.3; // the frequencies shown, relative to the highest resonance
  private static final double MOST_OF_THE_ENERGY = 0.99;

  /**
   * Computes the spectrum of equally spaced samples.
   *
   * @param interval time between samples
   * @param most the largest number of resonances to return; the strongest ones are returned
   */
  public static SignalSpectrum of(double[] samples, double interval, int most) {
    if (samples.length < 3) {
      throw new IllegalArgumentException(
          "%d samples have no spectrum; record at least 3".formatted(samples.length));
    }
    double mean = 0;
    for (double sample : samples) {
      mean += sample / samples.length;
    }
    double[] signal = new double[samples.length];
    int length = Integer.highestOneBit(FINENESS * samples.length - 1) * 2;
    double[] real = new double[length];
    double weight = 0;
    for (int k = 0; k < samples.length; k++) {
      signal[k] = samples[k] - mean; // the main lobe of a mean would hide the lowest resonances
      double hann = 0.5 - 0.5 * Math.cos(2 * Math.PI * k / (samples.length - 1));
      real[k] = hann * signal[k];
      weight += hann;
    }
    double[] imaginary = new double[length];
    transform(real, imaginary);
    double[] amplitudes = new double[length / 2];
    for (int k = 0; k < amplitudes.length; k++) {
      amplitudes[k] = 2 * Math.hypot(real[k], imaginary[k]) / weight;
    }
    double spacing = 2 * Math.PI / (length * interval);
    return new SignalSpectrum(
        spacing, amplitudes, peaks(signal, interval, spacing, amplitudes, most));
  }

  private static List<ResonancePeak> peaks(
      double[] signal, double interval, double spacing, double[] amplitudes, int most) {
    double strongest = 0;
    for (double amplitude : amplitudes) {
      strongest = Math.max(strongest, amplitude);
    }
    int lobe = (int) Math.ceil(LOBE * 2 * amplitudes.length / signal.length);
    List<ResonancePeak> peaks = new ArrayList<>();
    for (int k = 1; k < amplitudes.length - 1; k++) {
      if (amplitudes[k] > FAINTEST * strongest
          && amplitudes[k] > amplitudes[k - 1]
          && amplitudes[k] >= amplitudes[k + 1]
          && falls(amplitudes, k, -1, lobe)
          && falls(amplitudes, k, 1, lobe)) {
        peaks.add(ResonancePeak.between(signal, interval, (k - 1) * spacing, (k + 1) * spacing));
      }
    }
    peaks.sort(Comparator.comparingDouble(ResonancePeak::amplitude).reversed());
    List<ResonancePeak> resonances = new ArrayList<>();
    for (ResonancePeak peak : peaks) {
      if (resonances.size() < most
          && peak.amplitude() > 2 * sideLobes(resonances, peak.omega(), signal.length * interval)) {
        resonances.add(peak);
      }
    }
    resonances.sort(Comparator.comparingDouble(ResonancePeak::omega));
    return List.copyOf(resonances);
  }

  /**
   * Returns whether a peak is as narrow as the window's main lobe; the maximum of a pulse's own
   * spectrum is broader.
   */
  private static boolean falls(double[] amplitudes, int peak, int direction, int lobe) {
    for (int k = peak;
        Math.abs(k - peak) <= lobe && k >= 0 && k < amplitudes.length;
        k += direction) {
      if (amplitudes[k] < amplitudes[peak] / 2) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many amplitudes to show: up to all resonances and nearly all of the energy. */
  public int shown() {
    double total = 0;
    for (double amplitude : amplitudes) {
      total += amplitude * amplitude;
    }
    double sum = 0;
    int shown = 0;
    while (shown < amplitudes.length && sum <= MOST_OF_THE_ENERGY * total) {
      sum += amplitudes[shown] * amplitudes[shown];
      shown++;
    }
    double last = resonances.isEmpty() ? 0 : BEYOND * resonances.getLast().omega() / spacing;
    return Math.clamp(Math.max(shown, (int) last), 3, amplitudes.length);
  }

  /**
   * Returns a bound of the window's side lobes of these resonances at a frequency: for an amplitude
   * of 1, {@code 1 / (pi d (d^2 - 1))}, where d is the distance times {@code T / 2 pi}.
   */
  private static double sideLobes(List<ResonancePeak> resonances, double omega, double time) {
    double sum = 0;
    for (ResonancePeak each : resonances) {
      double distance = Math.abs(omega - each.omega()) * time / (2 * Math.PI);
      sum +=
          distance < 2
              ? each.amplitude()
              : each.amplitude() / (Math.PI * distance * (distance * distance - 1));
    }
    return sum;
  }

  /**
   * Computes the fast Fourier transform of Cooley and Tukey in place; the length must be a power of
   * two.
   */
  private static void transform(double[] real, double[] imaginary) {
    int length = real.length;
    int shift = Integer.numberOfLeadingZeros(length) + 1;
    for (int k = 0; k < length; k++) {
      int other = Integer.reverse(k) >>> shift;
      if (other > k) {
        swap(real, k, other);
        swap(imaginary, k, other);
      }
    }
    for (int half = 1; half < length; half *= 2) {
      for (int k = 0; k < half; k++) {
        double cos = Math.cos(Math.PI * k / half);
        double sin = -Math.sin(Math.PI * k / half);
        for (int low = k; low < length; low += 2 * half) {
          int high = low + half;
          double x = real[high] * cos - imaginary[high] * sin;
          double y = real[high] * sin + imaginary[high] * cos;
          real[high] = real[low] - x;
          imaginary[high] = imaginary[low] - y;
          real[low] += x;
          imaginary[low] += y;
        }
      }
    }
  }

  private static void swap(double[] values, int one, int other) {
    double value = values[one];
    values[one] = values[other];
    values[other] = value;
  }
}
