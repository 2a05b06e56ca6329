package org.troupe.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two sides that took turns.
 *
 * @param ours the figures of our side
 * @param reference those of the other
 */
record Duel(Spread ours, Spread reference) {

  /** What gives a figure when it is its turn. */
  interface Side {
    double turn() throws IOException, InterruptedException;
  }

  /** Lets the sides take turns: what slows the machine down for a while slows both. */
  static Duel fight(int rounds, Side ours, Side reference)
      throws IOException, InterruptedException {
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    for (var round = 0; round < rounds; round++) {
      first.add(ours.turn());
      second.add(reference.turn());
    }
    return new Duel(Spread.of(first), Spread.of(second));
  }

  Row row(String name, String unit, Goal goal) {
    return new Row(name, unit, ours, reference, goal);
  }
}
