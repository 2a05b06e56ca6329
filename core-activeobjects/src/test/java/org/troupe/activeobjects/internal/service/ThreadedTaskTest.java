package org.troupe.activeobjects.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks on threads of their own. */
@Timeout(60)
class ThreadedTaskTest {

  @Test
  void anErrorOfTheTaskIsItsOutcome() {
    var error = new NoClassDefFoundError("of the task");
    var outcome =
        ThreadedTask.<Void>start(
            () -> {
              throw error;
            });
    assertThat(failureOf(outcome, "the task")).isSameAs(error);
  }
}
