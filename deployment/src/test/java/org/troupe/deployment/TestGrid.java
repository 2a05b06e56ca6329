package org.troupe.deployment;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The test grid, for tests that need one. */
final class TestGrid {

  private TestGrid() {}

  /**
   * Returns its ssh configuration; skips the test, and says so where it is seen, without a grid.
   */
  static String sshConfig(Class<?> test) {
    var config = System.getenv("TESTGRID_SSH_CONFIG");
    if (config == null) {
      var reason =
          "NOT RUN: "
              + test.getSimpleName()
              + " needs the test grid: 'testgrid/testgrid up', then eval \"$(testgrid/testgrid"
              + " env)\"";
      System.err.println(reason);
      assumeTrue(false, reason);
    }
    return config;
  }
}
