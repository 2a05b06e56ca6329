package org.troupe.activeobjects.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.RestartedException;
import org.troupe.testing.LogRecords;

/** Failures that no handler receives, in the log. */
class FailureLogTest {

  private final List<Runnable> ends = new ArrayList<>();
  private final FailureLog log = new FailureLog(ends::add);

  @Test
  void tenOfAKindAreLoggedAndThenTheirNumber(LogRecords records) {
    records.allow(Level.WARNING, "Worker.");
    for (var i = 0; i < 25; i++) {
      log.log("Worker.note(int)", new RestartedException("refused " + i));
      log.log("Worker.rare(int)", new IllegalStateException("once"));
      if (i == 0) {
        log.log("Worker.note(int)", new IllegalStateException("another kind"));
      }
    }
    var texts = records.texts(Level.WARNING);
    assertThat(texts).filteredOn(each -> each.contains("refused")).hasSize(10);
    assertThat(texts).filteredOn(each -> each.contains("another kind")).hasSize(1);

    assertThat(ends).hasSize(1);
    ends.removeFirst().run();
    assertThat(records.texts(Level.WARNING))
        .contains(
            "Worker.note(int) failed, and nobody waits for its result: 15 more times within 10 s, by org.troupe.activeobjects.RestartedException; ActiveObjects.onFailure sets a handler, which receives each failure");

    log.log("Worker.note(int)", new RestartedException("refused later"));
    assertThat(records.texts(Level.WARNING))
        .last()
        .isEqualTo("Worker.note(int) failed, and nobody waits for its result: refused later");
    assertThat(ends).hasSize(1);
  }

  @Test
  void equalFailuresAreLoggedOnceAndThenTheirNumber(LogRecords records) {
    records.allow(Level.WARNING, "Worker.call(int)");
    for (var i = 0; i < 7; i++) {
      log.log("Worker.call(int)", new RestartedException("node 'n1' is gone"));
    }
    log.endPeriod();

    assertThat(records.texts(Level.WARNING))
        .filteredOn(each -> each.startsWith("Worker.call(int)"))
        .containsExactly(
            "Worker.call(int) failed, and nobody waits for its result: node 'n1' is gone",
            "Worker.call(int) failed, and nobody waits for its result: 6 more times within 10 s, by org.troupe.activeobjects.RestartedException; ActiveObjects.onFailure sets a handler, which receives each failure");
  }

  @Test
  void theNumberOfKindsIsBounded(LogRecords records) {
    records.allow(Level.WARNING, "Worker");
    records.allow(Level.WARNING, "calls of other kinds");
    for (var i = 0; i < 1_100; i++) {
      log.log("Worker" + i, new RestartedException("rejected"));
    }
    assertThat(records.texts(Level.WARNING))
        .filteredOn(each -> each.endsWith("rejected"))
        .hasSize(1_010);
    ends.removeFirst().run();
    assertThat(records.texts(Level.WARNING)).last().asString().contains("90 more times");
  }
}
