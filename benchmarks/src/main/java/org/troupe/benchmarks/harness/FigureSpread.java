package org.troupe.benchmarks.harness;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * The median and the range of the figures of several turns.
 *
 * @param median the median of all turns
 * @param min the smallest figure
 * @param max the largest figure
 */
public record FigureSpread(double median, double min, double max) {

  private static final MathContext DIGITS = new MathContext(4);
  private static final MathContext FEWER_DIGITS = new MathContext(3);

  /** Returns the spread of at least one figure. */
  public static FigureSpread of(List<Double> turns) {
    var sorted = turns.stream().sorted().toList();
    var middle = sorted.size() / 2;
    var median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new FigureSpread(median, sorted.getFirst(), sorted.getLast());
  }

  /** Returns the spread with a constant subtracted from each figure. */
  public FigureSpread minus(double part) {
    return new FigureSpread(median - part, min - part, max - part);
  }

  /** Returns a number with four significant digits. */
  public static String text(double number) {
    return text(number, DIGITS);
  }

  private static String text(double number, MathContext digits) {
    return new BigDecimal(number).round(digits).stripTrailingZeros().toPlainString();
  }

  /** Returns, for example, {@code 0.6312 (0.61..0.74)}. */
  @Override
  public String toString() {
    return "%s (%s..%s)".formatted(text(median), text(min, FEWER_DIGITS), text(max, FEWER_DIGITS));
  }
}
