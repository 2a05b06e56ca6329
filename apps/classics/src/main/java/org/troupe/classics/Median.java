package org.troupe.classics;

import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;

/** What counts of several rounds: the middle one, or the mean of both in the middle. */
public final class Median {

  private Median() {}

  /** Returns that of numbers, of which there is at least one. */
  public static double of(List<Double> numbers) {
    return of(numbers, Comparator.naturalOrder(), (one, other) -> (one + other) / 2);
  }

  /** Returns that of runs by their seconds, of which there is at least one. */
  public static RunTiming ofTimes(List<RunTiming> times) {
    return of(times, Comparator.comparing(RunTiming::seconds), RunTiming::mean);
  }

  private static <T> T of(List<T> all, Comparator<T> order, BinaryOperator<T> mean) {
    var sorted = all.stream().sorted(order).toList();
    var upper = sorted.get(sorted.size() / 2);
    return sorted.size() % 2 == 1 ? upper : mean.apply(sorted.get(sorted.size() / 2 - 1), upper);
  }
}
