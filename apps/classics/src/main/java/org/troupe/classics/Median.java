package org.troupe.classics;

import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;

/** The median of several rounds: the middle one, or the mean of the two in the middle. */
public final class Median {

  private Median() {}

  /** Returns the median of at least one number. */
  public static double of(List<Double> numbers) {
    return of(numbers, Comparator.naturalOrder(), (one, other) -> (one + other) / 2);
  }

  /** Returns the round of median duration, of at least one. */
  public static RunTiming ofTimes(List<RunTiming> times) {
    return of(times, Comparator.comparing(RunTiming::seconds), RunTiming::mean);
  }

  private static <T> T of(List<T> all, Comparator<T> order, BinaryOperator<T> mean) {
    var sorted = all.stream().sorted(order).toList();
    var upper = sorted.get(sorted.size() / 2);
    return sorted.size() % 2 == 1 ? upper : mean.apply(sorted.get(sorted.size() / 2 - 1), upper);
  }
}
