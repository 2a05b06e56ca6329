package org.troupe.em3d.views;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis and the round numbers on it: the multiples of 1, 2 or 5 times a power of ten.
 *
 * @param low where the axis begins
 * @param high where it ends, above that
 * @param step from one round number to the next
 */
record AxisTicks(double low, double high, double step) {

  private static final double TOLERANCE = 1e-9; // of a step

  /** Ticks of an axis with these ends, at most so many steps. */
  static AxisTicks within(double low, double high, int most) {
    double least = (high - low) / most;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double step = 10 * power;
    for (int each : new int[] {5, 2, 1}) {
      step = each * power >= least * (1 - TOLERANCE) ? each * power : step;
    }
    return new AxisTicks(low, high, step);
  }

  /** Ticks of an axis that ends at the round numbers around some values. */
  static AxisTicks around(double lowest, double highest, int most) {
    AxisTicks inner = within(lowest, highest, most);
    double step = inner.step;
    return new AxisTicks(
        step * Math.floor(lowest / step + TOLERANCE),
        step * Math.ceil(highest / step - TOLERANCE),
        step);
  }

  /** The round numbers, ascending. */
  List<Double> values() {
    List<Double> values = new ArrayList<>();
    for (long k = (long) Math.ceil(low / step - TOLERANCE);
        k * step <= high + TOLERANCE * step;
        k++) {
      values.add(k * step);
    }
    return values;
  }

  /** A round number with as many digits as tell it from the next. */
  String label(double value) {
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + TOLERANCE));
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.matches("-[0.]+") ? text.substring(1) : text;
  }

  /** Where a value is on the axis, from 0 to 1. */
  double part(double value) {
    return (value - low) / (high - low);
  }
}
