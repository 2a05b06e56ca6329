package org.troupe.transport.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** Asserts that a closed grid leaves no threads behind. */
final class Leftovers {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Leftovers() {}

  /** Waits until the threads of all endpoints have ended. */
  static void assertNone() throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("troupe-lane") || each.getName().startsWith("troupe-frames")) {
        assertThat(each.join(PATIENCE)).as("thread '%s' ends", each.getName()).isTrue();
      }
    }
  }
}
