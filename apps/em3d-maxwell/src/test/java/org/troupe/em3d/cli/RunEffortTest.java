package org.troupe.em3d.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.em3d.maxwell.PolynomialOrder;

/** The choice between the program's own JVM and further ones. */
class RunEffortTest {

  @Test
  void fewCellUpdatesAreAShortRun() {
    assertThat(new RunEffort(196_608, PolynomialOrder.CONSTANT, 200).isShort()).isTrue();
    assertThat(new RunEffort(196_608, PolynomialOrder.CONSTANT, 200_000).isShort()).isFalse();
  }

  @Test
  void linearFunctionsGainNothingFromNodesWithVectors() {
    assertThat(new RunEffort(196_608, PolynomialOrder.LINEAR, 200_000).isShort()).isTrue();
  }

  @Test
  void meshesBeyondTheHeapTakeMoreJvms() {
    var heap = Runtime.getRuntime().maxMemory();
    assertThat(new RunEffort(heap / 10_000, PolynomialOrder.CONSTANT, 1).jvmsForMemory())
        .isEqualTo(1);
    assertThat(new RunEffort(heap, PolynomialOrder.CONSTANT, 1).jvmsForMemory())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }
}
