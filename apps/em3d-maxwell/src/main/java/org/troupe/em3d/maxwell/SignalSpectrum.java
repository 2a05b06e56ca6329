package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How strong each frequency is in a signal, through Hann's window.
 *
 * @param spacing between two angular frequencies, the first being 0
 * @param amplitudes that cosines of these frequencies would have
 * @param resonances the peaks, from the lowest frequency to the highest
 */
public record SignalSpectrum(double spacing, double[] amplitudes, List<ResonancePeak> resonances) {

  private static final int FINENESS = 4; // points for each that the samples determine
  private static final double FAINTEST = 0.02; // of the strongest, to be called a peak
  private static final double LOBE = 2; // to either side, in what the samples determine
  private static final double BEYOND = 1.3; // the highest resonance
  private static final double MOST_OF_THE_ENERGY = 0.99;

  /**
   * Looks for them in equally spaced samples.
   *
   * @param interval time between samples
   * @param most how many resonances to name, the strongest
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
    double[] swing = new double[samples.length];
    int length = Integer.highestOneBit(FINENESS * samples.length - 1) * 2;
    double[] real = new double[length];
    double weight = 0;
    for (int k = 0; k < samples.length; k++) {
      swing[k] = samples[k] - mean; // or its lobe would hide the lowest resonances
      double hann = 0.5 - 0.5 * Math.cos(2 * Math.PI * k / (samples.length - 1));
      real[k] = hann * swing[k];
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
        spacing, amplitudes, peaks(swing, interval, spacing, amplitudes, most));
  }

  private static List<ResonancePeak> peaks(
      double[] swing, double interval, double spacing, double[] amplitudes, int most) {
    double strongest = 0;
    for (double amplitude : amplitudes) {
      strongest = Math.max(strongest, amplitude);
    }
    int lobe = (int) Math.ceil(LOBE * 2 * amplitudes.length / swing.length);
    List<ResonancePeak> peaks = new ArrayList<>();
    for (int k = 1; k < amplitudes.length - 1; k++) {
      if (amplitudes[k] > FAINTEST * strongest
          && amplitudes[k] > amplitudes[k - 1]
          && amplitudes[k] >= amplitudes[k + 1]
          && falls(amplitudes, k, -1, lobe)
          && falls(amplitudes, k, 1, lobe)) {
        peaks.add(ResonancePeak.between(swing, interval, (k - 1) * spacing, (k + 1) * spacing));
      }
    }
    peaks.sort(Comparator.comparingDouble(ResonancePeak::amplitude).reversed());
    List<ResonancePeak> resonances = new ArrayList<>();
    for (ResonancePeak peak : peaks) {
      if (resonances.size() < most
          && peak.amplitude() > 2 * sideLobes(resonances, peak.omega(), swing.length * interval)) {
        resonances.add(peak);
      }
    }
    resonances.sort(Comparator.comparingDouble(ResonancePeak::omega));
    return List.copyOf(resonances);
  }

  /** Says whether a peak is as narrow as the window: that of a pulse's own spectrum is broader. */
  private static boolean falls(double[] amplitudes, int peak, int way, int lobe) {
    for (int k = peak; Math.abs(k - peak) <= lobe && k >= 0 && k < amplitudes.length; k += way) {
      if (amplitudes[k] < amplitudes[peak] / 2) {
        return true;
      }
    }
    return false;
  }

  /** How many amplitudes are worth a look: those with all resonances, and nearly all energy. */
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
   * What Hann's window shows of resonances beside them: of an amplitude of 1 at most {@code 1 / (pi
   * d (d^2 - 1))}, d being the distance times {@code T / 2 pi}.
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

  /** The fast Fourier transform of Cooley and Tukey, in place; the length is a power of two. */
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
