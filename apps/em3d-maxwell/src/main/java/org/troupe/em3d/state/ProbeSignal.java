package org.troupe.em3d.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.maxwell.SignalSpectrum;

/**
 * The signal of one component of E at a probe.
 *
 * @param name the probe and the component
 * @param seconds the times of the readings, equally spaced
 * @param values V/m
 */
public record ProbeSignal(String name, double[] seconds, double[] values) {

  private static final int FEWEST = 16; // readings, for a meaningful spectrum
  private static final int MOST_RESONANCES = 8;
  private static final int WIDTH = 7; // step, E, H

  /**
   * Returns the signal of the component with the largest range; {@code null} if there are too few
   * readings.
   */
  public static @Nullable ProbeSignal of(String probe, double[] readings, double dtSeconds) {
    var count = readings.length / WIDTH;
    if (count < FEWEST) {
      return null;
    }
    var seconds = new double[count];
    Arrays.setAll(seconds, k -> readings[WIDTH * k] * dtSeconds);
    ProbeSignal most = null;
    for (var axis = 0; axis < 3; axis++) {
      var values = new double[count];
      var place = 1 + axis;
      Arrays.setAll(values, k -> readings[WIDTH * k + place]);
      var each = new ProbeSignal(probe + ": E" + "xyz".charAt(axis), seconds, values);
      most = most == null || each.range() > most.range() ? each : most;
    }
    return most;
  }

  private double range() {
    var all = Arrays.stream(values).summaryStatistics();
    return all.getMax() - all.getMin();
  }

  /** Returns the spectrum, by angular frequencies in 1/s. */
  public SignalSpectrum spectrum() {
    return SignalSpectrum.of(values, seconds[1] - seconds[0], MOST_RESONANCES);
  }
}
