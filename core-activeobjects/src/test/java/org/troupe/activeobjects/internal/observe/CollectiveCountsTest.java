package org.troupe.activeobjects.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.hosting.NodeActivity.OperationLine;
import org.troupe.activeobjects.hosting.ObservationTier;

class CollectiveCountsTest {

  private final CollectiveCounts counts = new CollectiveCounts();

  @BeforeEach
  void count() {
    TierSwitch.set(ObservationTier.COUNTS);
  }

  @AfterEach
  void reset() {
    TierSwitch.set(ObservationTier.STANDARD);
  }

  @Test
  void nothingIsCountedWhileNothingIsObserved() {
    TierSwitch.set(ObservationTier.OFF);

    counts.counter("g1", "acme.Solver", 2, "allReduce", "ring").add(80);

    assertThat(counts.all()).isEmpty();
  }

  @Test
  void theMembersOfANodeShareACounter() {
    counts.counter("g1", "acme.Solver", 2, "allReduce", "ring").add(80);
    counts.counter("g1", "acme.Solver", 2, "allReduce", "ring").add(8);
    counts.counter("g1", "acme.Solver", 2, "broadcast", "binomial").add(800);
    counts.counter("g1", "acme.Solver", 2, "scan", "doubling"); // not yet

    assertThat(counts.all())
        .containsExactly(
            new OperationLine("g1", "acme.Solver", 2, "broadcast", "binomial", 1, 800),
            new OperationLine("g1", "acme.Solver", 2, "allReduce", "ring", 2, 88));
  }

  @Test
  void groupsBeyondTheMostAreCountedTogether() {
    for (var i = 0; i < CollectiveCounts.MOST_COUNTERS + 5; i++) {
      counts.counter("g" + i, "acme.Solver", 2, "allReduce", "ring").add(1);
    }
    counts.counter("g3", "acme.Solver", 2, "allReduce", "ring").add(10);

    assertThat(counts.all())
        .hasSize(CollectiveCounts.MOST_COUNTERS + 1)
        .startsWith(
            new OperationLine("g3", "acme.Solver", 2, "allReduce", "ring", 2, 11),
            new OperationLine("other groups", "", 0, "allReduce", "ring", 5, 5));
  }
}
