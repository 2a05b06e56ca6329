package org.troupe.benchmarks.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/** Figures of several turns, by what was measured. For one thread. */
public final class RoundSamples {

  private final Map<String, List<Double>> figures = new HashMap<>();

  public void add(String name, double figure) {
    figures.computeIfAbsent(name, _ -> new ArrayList<>()).add(figure);
  }

  /** Returns the spread of a figure; {@code null} if there is none. */
  public FigureSpread of(String name) {
    var turns = figures.get(name);
    return turns == null ? null : FigureSpread.of(turns);
  }

  /** Returns the spread of what two figures make, turn by turn; {@code null} if one is missing. */
  public FigureSpread of(String name, String other, DoubleBinaryOperator combination) {
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
