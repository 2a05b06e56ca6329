package org.troupe.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulated hosts with real nodes. */
@Timeout(120)
class SimulatedHostsTest {

  @Test
  void allJoin() throws Exception {
    assertThat(SimulatedHosts.figures(3)).hasSize(2).allMatch(seconds -> seconds > 0);
  }
}
