package org.troupe.benchmarks.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/** The figures of several turns, by name. Not thread-safe. */
public final class RoundSamples {

  private final Map<String, List<Double>> figures = new HashMap<>();

  public void add(String name, double figure) {
    figures.computeIfAbsent(name, _ -> new ArrayList<>()).add(figure);
  }

  /** Forgets all figures. */
  public void clear() {
    figures.clear();
  }

  /** Returns the spread of a figure; {@code null} if it was not measured. */
  public @Nullable FigureSpread of(String name) {
    var turns = figures.get(name);
    return turns == null ? null : FigureSpread.of(turns);
  }

  /** Returns the spread of a figure that was certainly measured. */
  public FigureSpread measured(String name) {
    return Objects.requireNonNull(of(name), name);
  }

  /**
   * Returns the spread of the combination of two figures, turn by turn; {@code null} if one was not
   * measured.
   */
  public @Nullable FigureSpread of(String name, String other, DoubleBinaryOperator combination) {
    var first = figures.get(name);
    var second = figures.get(other);
    if (first == null || second == null) {
      return null;
    }
    List<Double> turns = new ArrayList<>();
    for (var turn = 0; turn < Math.min(first.size(), second.size()); turn++) {
      turns.add(combination.applyAsDouble(first.get(turn), second.get(turn)));
    }
    return FigureSpread.of(turns);
  }
}
