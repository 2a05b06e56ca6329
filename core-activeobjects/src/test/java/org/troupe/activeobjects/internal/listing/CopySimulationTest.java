package org.troupe.activeobjects.internal.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulates reference listing with many nodes and objects. {@code -Dtroupe.scale=100} has 100 nodes
 * with 100,000 objects, of which one in a hundred is lost in a minute, for ten minutes; the default
 * has a hundredth of the objects.
 */
class CopySimulationTest {

  private static final int PERCENT = Integer.getInteger("troupe.scale", 1);
  private static final int NODES = 100;
  private static final int OBJECTS = 1_000 * PERCENT;
  private static final int ROOTED = 10;
  private static final int EXCHANGES = OBJECTS / 400;

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("troupe.scale.seeds", 2));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageIsGoneInTheEndAndNothingElseWhileNodesAreLost(long seed) {
    var simulation = new CopySimulation(seed, NODES, OBJECTS, ROOTED);

    simulation.run(600, EXCHANGES, 60);
    simulation.settle(10);

    assertThat(simulation.garbage()).as("objects that nothing reaches").isZero();
    assertThat(simulation.collected()).as("collected objects").isGreaterThan(OBJECTS / 3);
    assertThat(simulation.left()).as("objects that are left").isPositive();
    assertThat(simulation.settlingMessagesPerLoss()).as("messages").isLessThanOrEqualTo(2);
  }
}
