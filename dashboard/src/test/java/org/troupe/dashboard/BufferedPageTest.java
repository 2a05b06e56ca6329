package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind a proxy that holds answers back. */
@Timeout(120)
class BufferedPageTest {

  private static final int KIBI = 1024;
  private static final int ROUNDS = 30;
  private static final String STATE = "document.getElementById('link')?.dataset.state";

  @ParameterizedTest
  @ValueSource(ints = {4 * KIBI, 64 * KIBI, Integer.MAX_VALUE})
  void asksForSingleRoundsIfStreamsDoNotCome(int pieceBytes) throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), ROUNDS);
        var proxy =
            new BufferingProxy(page.address(), pieceBytes, first -> first.contains("api/"))) {
      browser.show(proxy.address());

      assertThat(browser.await(STATE + " === 'polling'", "text('link')"))
          .isEqualTo("live (polling)");

      assertThat(browser.await("true", "text('health')")).contains("longest wait");
      assertThat(
              browser.await(
                  "document.querySelector('.view-now .card .main')?.textContent",
                  "document.querySelector('.view-now .card .main').textContent"))
          .matches("\\d+ / 12");
    }
  }

  @Test
  void saysThatNothingComes() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), ROUNDS);
        var proxy =
            new BufferingProxy(
                page.address(), Integer.MAX_VALUE, first -> first.contains("api/watch"))) {
      page.leavePollsOpen();
      browser.show(proxy.address());

      assertThat(browser.await("text('health').includes('Nothing has come')", "text('health')"))
          .contains("Nothing has come for 25 s. A proxy in between may hold answers back.");
      assertThat(browser.await("true", STATE)).isIn("waiting", "lost");
    }
  }
}
