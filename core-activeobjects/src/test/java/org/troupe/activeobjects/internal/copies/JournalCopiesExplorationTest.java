package org.troupe.activeobjects.internal.copies;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;

/**
 * Random orders of records, images, moves, restarts, deletions, losses and leaves: whatever copy is
 * found has all that was acknowledged, and no copy stays behind.
 */
@Timeout(600)
class JournalCopiesExplorationTest {

  private static final int RUNS = Boolean.getBoolean("troupe.long") ? 20_000 : 150;

  @Test
  void noOrderLosesARecordThatWasAcknowledgedUnlessAllCopiesAreLost(LogRecords records) {
    records.allow(Level.WARNING, "have no second copy");
    var lost = 0;
    var restarts = 0;
    var dropped = 0;
    for (var seed = 1; seed <= RUNS; seed++) {
      var run = new CopiesExplorer(seed);
      run.explore();
      lost += run.losses();
      restarts += run.restarts();
      dropped += run.deletions();
    }
    assertThat(restarts).as("restarts").isGreaterThan(RUNS / 4);
    assertThat(dropped).as("deletions").isGreaterThan(RUNS / 20);
    assertThat(lost).as("losses of all copies").isBetween(1, restarts * 3 / 4);
  }
}
