package org.troupe.activeobjects.internal.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Simulates an hour of moves. {@code -Dtroupe.scale=100} has 1,000 objects on 1,000 nodes with 100
 * moves a second in all; the default has a hundredth of the objects.
 */
class MoveSimulationTest {

  private static final int PERCENT = Integer.getInteger("troupe.scale", 1);
  private static final int NODES = 1_000;
  private static final int SECONDS = 3_600;
  private static final double MOVES_PER_SECOND = 0.1; // of each object
  private static final int CALLERS = 3;

  @Test
  void aCallIsForwardedAtMostAsOftenAsItsObjectHasMovedSinceTheLastOfItsCaller() {
    var moves = 0;
    var mostForwarded = 0;
    for (var object = 0; object < 10 * PERCENT; object++) {
      var simulation = new MoveSimulation(object, NODES, CALLERS);
      simulation.run(SECONDS, MOVES_PER_SECOND);
      moves += simulation.moves();
      mostForwarded = Math.max(mostForwarded, simulation.mostForwarded());
    }
    assertThat(moves).as("moves").isGreaterThan(3_000 * PERCENT);
    assertThat(mostForwarded).as("nodes that have forwarded a call").isPositive();
  }
}
