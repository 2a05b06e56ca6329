package org.troupe.em3d.views;

/**
 * A unit with an SI prefix, such as millimetre.
 *
 * @param factor from the unit to the one with the prefix
 * @param unit the symbol with the prefix
 */
public record UnitPrefix(double factor, String unit) {

  private static final String PREFIXES =
      "yzafpnum kMGTPEZY"; // a factor of 1000 from one to the next
  private static final int NO_PREFIX = PREFIXES.indexOf(' ');

  /** Returns the prefix with which the largest of some numbers is between 1 and 999. */
  public static UnitPrefix of(double largest, String unit) {
    double size = Math.abs(largest);
    int thousands = size > 0 ? (int) Math.floor(Math.log10(size) / 3) : 0;
    if (Math.abs(thousands) > NO_PREFIX) {
      return new UnitPrefix(Math.pow(1000, -thousands), "10^" + 3 * thousands + " " + unit);
    }
    String prefix = String.valueOf(PREFIXES.charAt(NO_PREFIX + thousands)).strip();
    return new UnitPrefix(Math.pow(1000, -thousands), prefix + unit);
  }

  /** Returns a number of the unit, converted to the one with the prefix. */
  public String text(double value) {
    return "%.5g %s".formatted(value * factor, unit);
  }
}
