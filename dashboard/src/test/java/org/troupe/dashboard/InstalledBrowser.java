package org.troupe.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.troupe.browser.Browser;

/** The browser of this machine. */
final class InstalledBrowser {

  private InstalledBrowser() {}

  /** Starts it, or skips the test with a message if there is none. */
  static Browser openOrSkip(Path folder) throws IOException {
    var program = Browser.installed();
    Assumptions.assumeTrue(
        program.isPresent(), "SKIPPED: there is no browser; install Debian's chromium to run this");
    return Browser.open(program.get(), folder);
  }
}
