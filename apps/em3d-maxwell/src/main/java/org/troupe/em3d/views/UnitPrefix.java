package org.troupe.em3d.views;

/**
 * A power of 1000 of a unit, so that numbers need few digits: of metres millimetres, for example.
 *
 * @param factor from the unit to this one
 * @param unit with its prefix
 */
record UnitPrefix(double factor, String unit) {

  private static final String PREFIXES = "yzafpnum kMGTPEZY"; // a thousand from one to the next
  private static final int NO_PREFIX = PREFIXES.indexOf(' ');

  /** The one in which the largest of some numbers is from 1 to 999. */
  static UnitPrefix of(double largest, String unit) {
    double size = Math.abs(largest);
    int thousands = size > 0 ? (int) Math.floor(Math.log10(size) / 3) : 0;
    if (Math.abs(thousands) > NO_PREFIX) {
      return new UnitPrefix(Math.pow(1000, -thousands), "10^" + 3 * thousands + " " + unit);
    }
    String prefix = String.valueOf(PREFIXES.charAt(NO_PREFIX + thousands)).strip();
    return new UnitPrefix(Math.pow(1000, -thousands), prefix + unit);
  }

  /** A number of the unit, in this one. */
  String text(double value) {
    return "%.5g %s".formatted(value * factor, unit);
  }
}
