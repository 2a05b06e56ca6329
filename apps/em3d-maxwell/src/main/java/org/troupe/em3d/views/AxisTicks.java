package org.troupe.em3d.views;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ticks of an axis: multiples of 1, 2 or 5 times a power of ten.
 *
 * @param low the lower end of the axis
 * @param high the upper end, above the lower one
 * @param step the distance of two ticks
 */
record AxisTicks(double low, double high, double step) {

  private static final double TOLERANCE = 1e-9; // of a step

  /** Returns the ticks of an axis with these ends and at most this many steps. */
  static AxisTicks within(double low, double high, int most) {
    double least = (high - low) / most;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double step = 10 * power;
    for (int each : new int[] {5, 2, 1}) {
      step = each * power >= least * (1 - TOLERANCE) ? each * power : step;
    }
    return new AxisTicks(low, high, step);
  }

  /** Returns the ticks of an axis that ends at ticks around these values. */
  static AxisTicks around(double lowest, double highest, int most) {
    AxisTicks inner = within(lowest, highest, most);
    double step = inner.step;
    return new AxisTicks(
        step * Math.floor(lowest / step + TOLERANCE),
        step * Math.ceil(highest / step - TOLERANCE),
        step);
  }

  /** Returns the ticks, ascending. */
  List<Double> values() {
    List<Double> values = new ArrayList<>();
    for (long k = (long) Math.ceil(low / step - TOLERANCE);
        k * step <= high + TOLERANCE * step;
        k++) {
      values.add(k * step);
    }
    return values;
  }

  /** Returns the label of a tick, with just enough digits to distinguish it from the next. */
  String label(double value) {
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + TOLERANCE));
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.matches("-[0.]+") ? text.substring(1) : text;
  }

  /** Returns the position of a value on the axis, from 0 to 1. */
  double part(double value) {
    return (value - low) / (high - low);
  }
}
