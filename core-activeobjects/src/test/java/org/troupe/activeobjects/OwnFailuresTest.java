package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.FailureHandler.CallFailure;

/** A test looks at the failures of its own objects, and at those that name no object. */
class OwnFailuresTest {

  private static final Throwable WHY = new IllegalStateException("why");

  /** An object of this test. */
  static class Solver {}

  @Test
  void leaveOutThoseOfOtherTests() {
    var failures = OwnFailures.of(OwnFailuresTest.class);
    failures.failed(new CallFailure("Solver.step(double) on node 'n1'", WHY));
    failures.failed(new CallFailure("Bank.note(int) on node 'n1'", WHY));
    failures.failed(new CallFailure("the image of a Bank on node 'n1'", WHY));
    failures.failed(new CallFailure("the image of a Solver on node 'n1'", WHY));
    failures.failed(new CallFailure("2 one-way calls to node 'n1'", WHY));

    assertThat(failures.all()).hasSize(3).noneMatch(each -> each.contains("Bank"));
  }
}
