package org.troupe.classics;

import java.util.Locale;

/**
 * Something that a result was compared with.
 *
 * @param what was compared
 * @param tolerance how far apart both may be, in words
 */
public record Check(String what, String expected, String found, String tolerance, boolean isMet) {

  /** Both must be equal. */
  public static Check equal(String what, Object expected, Object found) {
    return new Check(what, expected.toString(), found.toString(), "none", expected.equals(found));
  }

  /** The difference must be within a part of what is expected; of zero, within that itself. */
  public static Check near(String what, double expected, double found, double relative) {
    var scale = expected == 0 ? 1 : Math.abs(expected);
    return new Check(
        what,
        "%.15g".formatted(expected),
        "%.15g".formatted(found),
        String.format(Locale.ROOT, expected == 0 ? "%.0e" : "%.0e of it", relative),
        Math.abs(found - expected) <= relative * scale); // never with NaN
  }

  /** Something must not be larger than a limit. */
  public static Check atMost(String what, double limit, double found) {
    return new Check(
        what,
        String.format(Locale.ROOT, "at most %.3g", limit),
        String.format(Locale.ROOT, "%.3g", found),
        "none",
        found <= limit);
  }

  @Override
  public String toString() {
    return isMet
        ? "%s: %s".formatted(what, found)
        : "%s is wrong: expected %s, found %s, tolerance %s"
            .formatted(what, expected, found, tolerance);
  }
}
