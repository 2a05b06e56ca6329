package org.troupe.classics;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A comparison of a result with its expected value.
 *
 * @param what the name of the compared value
 * @param expected the expected value, as text
 * @param found the actual value, as text
 * @param tolerance the largest accepted difference, as text
 * @param isMet whether the difference is within the tolerance
 */
public record ResultCheck(
    String what, String expected, String found, String tolerance, boolean isMet) {

  private static final String NONE = "none";

  /** Checks that two values are equal. */
  public static ResultCheck equal(String what, Object expected, Object found) {
    return new ResultCheck(
        what, expected.toString(), found.toString(), NONE, expected.equals(found));
  }

  /** Checks that two arrays are equal bit by bit. */
  public static ResultCheck equal(String what, double[] expected, double[] found) {
    return equal(
        what,
        expected.length,
        found.length,
        Arrays.mismatch(expected, found),
        i -> expected[i],
        i -> found[i]);
  }

  /** Checks that two arrays are equal. */
  public static ResultCheck equal(String what, int[] expected, int[] found) {
    return equal(
        what,
        expected.length,
        found.length,
        Arrays.mismatch(expected, found),
        i -> expected[i],
        i -> found[i]);
  }

  private static ResultCheck equal(
      String what,
      int expectedCount,
      int foundCount,
      int first, // index that differs: the shorter length if one array is a prefix, -1 if both are
      // equal
      IntFunction<Object> expected,
      IntFunction<Object> found) {
    var count = numbers(expectedCount);
    if (first < 0) {
      return new ResultCheck(what, count, "the same", NONE, true);
    }
    if (expectedCount != foundCount) {
      return new ResultCheck(what, count, numbers(foundCount), NONE, false);
    }
    var different =
        IntStream.range(first, foundCount)
            .filter(i -> !expected.apply(i).equals(found.apply(i)))
            .count();
    return new ResultCheck(
        what,
        "%s at index %d".formatted(expected.apply(first), first),
        String.format(Locale.ROOT, "%s (%,d of %s differ)", found.apply(first), different, count),
        NONE,
        false);
  }

  private static String numbers(int count) {
    return String.format(Locale.ROOT, "%,d numbers", count);
  }

  /**
   * Checks that the difference is within a fraction of the expected value, or within that fraction
   * of 1 if zero is expected.
   */
  public static ResultCheck near(String what, double expected, double found, double relative) {
    var scale = expected == 0 ? 1 : Math.abs(expected);
    return new ResultCheck(
        what,
        String.format(Locale.ROOT, "%.15g", expected),
        String.format(Locale.ROOT, "%.15g", found),
        String.format(Locale.ROOT, expected == 0 ? "%.0e" : "%.0e of it", relative),
        Math.abs(found - expected) <= relative * scale); // false for NaN
  }

  /** Checks that a value does not exceed a limit. */
  public static ResultCheck atMost(String what, double limit, double found) {
    return new ResultCheck(
        what,
        String.format(Locale.ROOT, "at most %.3g", limit),
        String.format(Locale.ROOT, "%.3g", found),
        NONE,
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
