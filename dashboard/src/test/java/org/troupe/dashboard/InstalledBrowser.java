package org.troupe.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.troupe.browser.Browser;

/**
 * The browser of this machine, of which one process serves all tests of this JVM and ends with it.
 */
final class InstalledBrowser {

  private static Browser shared;

  private InstalledBrowser() {}

  /**
   * Opens a page and storage of its own for a test, or skips the test with a message if there is no
   * browser.
   */
  static synchronized Browser openOrSkip() throws IOException, InterruptedException {
    if (shared == null || !shared.processes().findFirst().orElseThrow().isAlive()) {
      shared = openOrSkip(Path.of("target", "browser-" + ProcessHandle.current().pid()));
    }
    return shared.separate();
  }

  /** Starts a process of its own for a test that measures it, or skips the test as above. */
  static Browser openOrSkip(Path folder) throws IOException {
    var program = Browser.installed();
    Assumptions.assumeTrue(
        program.isPresent(), "SKIPPED: there is no browser; install Debian's chromium to run this");
    return Browser.open(program.get(), folder);
  }
}
