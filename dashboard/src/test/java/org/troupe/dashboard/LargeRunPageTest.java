package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page with a thousand nodes. */
@Timeout(120)
class LargeRunPageTest {

  private static final Path WORK =
      Path.of("target", "browser-large-" + ProcessHandle.current().pid());
  private static final Path PICTURES = Path.of("target", "page");

  @Test
  void showsAThousandNodesByPages() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip(WORK);
        var page = new SamplePage(SampleRun.large(1000), 2)) {
      browser.show(page.address() + "&run=20261127-1");
      browser.look(1440, 900, false);

      assertThat(
              browser.await(
                  "document.getElementById('link').dataset.state === 'live'", "text('health')"))
          .startsWith("All 1,000 nodes are up");
      for (var view :
          List.of("now", "nodes", "objects", "traffic", "map", "waits", "calls", "events")) {
        browser.await("true", "location.hash = '#/" + view + "'");
        browser.await("document.querySelector('.view-" + view + "')", "0");
        browser.picture(PICTURES.resolve(view + "-large.png"));
      }
      browser.await("true", "location.hash = '#/nodes'");
      assertThat(
              browser.await(
                  "document.querySelector('.view-nodes .info')?.textContent",
                  "document.querySelector('.info').textContent"))
          .isEqualTo("1–50 of 1,001");
      assertThat(browser.await("true", "document.querySelectorAll('tr.row').length"))
          .isEqualTo("50");
      browser.await("true", "document.querySelector('[aria-label=\"Later page\"]').click()");
      assertThat(browser.await("true", "document.querySelector('.info').textContent"))
          .isEqualTo("51–100 of 1,001");
      browser.await("true", "location.hash = '#/traffic'");
      assertThat(
              browser.await(
                  "document.querySelector('.view-traffic')",
                  "document.querySelector('.view-traffic').innerText"))
          .contains("20 clusters");
      browser.await("true", "document.getElementById('brand').click()");
      browser.await(
          "document.querySelector('.view-runs tr.row')",
          "document.querySelector('tr.row').click()");
      browser.await("document.querySelector('.view-now')", "0");
      assertThat(browser.problems()).isEmpty();
    }
  }
}
