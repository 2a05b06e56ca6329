package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The test grid, for tests that need one. */
public final class TestGrid {

  private TestGrid() {}

  /**
   * Returns the ssh configuration of the grid; without a grid, skips the test with a visible
   * message.
   */
  public static String sshConfig(Class<?> test) {
    var config = System.getenv("TESTGRID_SSH_CONFIG");
    if (config == null) {
      skip(
          test,
          "needs the test grid: 'testgrid/testgrid up', then eval \"$(testgrid/testgrid env)\"");
    }
    return config;
  }

  /** Skips a test, with a visible message, if the grid has no Flux. */
  public static void needsFlux(Class<?> test) {
    needs(test, "Flux", "TESTGRID_FLUX");
  }

  /** Skips a test, with a visible message, if the grid has no OpenPBS. */
  public static void needsOpenPbs(Class<?> test) {
    needs(test, "OpenPBS", "TESTGRID_OPENPBS");
  }

  /** Skips a test, with a visible message, if the grid has no LSF. */
  public static void needsLsf(Class<?> test) {
    needs(test, "LSF", "TESTGRID_LSF");
  }

  private static void needs(Class<?> test, String system, String setting) {
    if (System.getenv().getOrDefault(setting, "").isEmpty()) {
      skip(test, "needs a test grid with " + system + ": its README has the setting " + setting);
    }
  }

  private static void skip(Class<?> test, String why) {
    var reason = "NOT RUN: " + test.getSimpleName() + " " + why;
    System.err.println(reason);
    assumeTrue(false, reason);
  }

  /** Returns the ssh configuration of a grid that has no other user and so may be damaged. */
  public static String sshConfigOfOurOwn(Class<?> test) {
    var config = sshConfig(test);
    if (!"yes".equals(System.getenv("TESTGRID_MAY_FAIL"))) {
      skip(test, "damages the test grid; if it has no other user, say TESTGRID_MAY_FAIL=yes");
    }
    return config;
  }

  /** Runs a command of the test grid's, such as {@code kill alpha-1}. */
  public static void command(String... words) throws IOException, InterruptedException {
    var line = new ArrayList<String>();
    line.add(System.getenv("TESTGRID"));
    line.addAll(List.of(words));
    var process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(line + ": " + said).isZero();
  }
}
