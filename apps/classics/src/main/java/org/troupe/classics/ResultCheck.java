package org.troupe.classics;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Something that a result was compared with.
 *
 * @param what was compared
 * @param expected what it should be, in words
 * @param found what it is, in words
 * @param tolerance how far apart both may be, in words
 * @param isMet whether they are no further apart
 */
public record ResultCheck(
    String what, String expected, String found, String tolerance, boolean isMet) {

  private static final String NONE = "none";

  /** Both must be equal. */
  public static ResultCheck equal(String what, Object expected, Object found) {
    return new ResultCheck(
        what, expected.toString(), found.toString(), NONE, expected.equals(found));
  }

  /** All numbers must be the same to the bit. */
  public static ResultCheck equal(String what, double[] expected, double[] found) {
    return equal(
        what,
        expected.length,
        found.length,
        Arrays.mismatch(expected, found),
        i -> expected[i],
        i -> found[i]);
  }

  /** All numbers must be the same. */
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
      int first, // that differs, or one after the last, or -1
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

  /** The difference must be within a part of what is expected; of zero, within that itself. */
  public static ResultCheck near(String what, double expected, double found, double relative) {
    var scale = expected == 0 ? 1 : Math.abs(expected);
    return new ResultCheck(
        what,
        String.format(Locale.ROOT, "%.15g", expected),
        String.format(Locale.ROOT, "%.15g", found),
        String.format(Locale.ROOT, expected == 0 ? "%.0e" : "%.0e of it", relative),
        Math.abs(found - expected) <= relative * scale); // never with NaN
  }

  /** Something must not be larger than a limit. */
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
