package org.troupe.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.troupe.activeobjects.ActiveObjects;

/** The wait for the end of all calls of a test. */
@ResourceLock("org.troupe.grid")
class GridQuiescenceTest {

  private final InProcessTestGrid grid = new InProcessTestGrid(2);

  /** An active object that fails. */
  static class Worker {

    Worker() {}

    public void stumbleSlowly() {
      throw new SlowFailure("slow");
    }
  }

  @AfterEach
  void end() {
    SlowFailure.release();
    grid.end();
  }

  @Test
  void namesANodeWhoseFailuresAreNotReportedInTime() throws InterruptedException {
    ActiveObjects.on(grid.nodes().first()).create(Worker.class).stumbleSlowly();
    SlowFailure.awaitDecoding();

    assertThat(new GridQuiescence(grid).awaitReports(0))
        .contains(
            "failures on node 'main' have not been reported 0 s after the test: the decoding of an exception, or a failure handler, does not return");
  }
}
