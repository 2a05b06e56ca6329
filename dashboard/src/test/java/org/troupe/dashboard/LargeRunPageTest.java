package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.browser.Browser;

/** The page with a thousand nodes. */
@Timeout(120)
class LargeRunPageTest {

  private static final Path PICTURES = Path.of("target", "page");

  private static final String INFO = "document.querySelector('main .info').textContent";
  private static final String KEYS =
      "[...document.querySelectorAll('main tr.row')].map(each => each.dataset.key).join()";
  private static final String HEAD =
      "[...document.querySelectorAll('main th button')].find(each => each.textContent === '%s')";

  /** The bytes of a text such as '12.5 MiB'. */
  private static final String SIZE =
      "(text => parseFloat(text) * 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(text.split(' ')[1]))";

  @Test
  void showsAThousandNodesByPages() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
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

  @Test
  void reactsToClicksWithTheRightRows() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.large(1000), 3)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("document.getElementById('link').dataset.state === 'live'", "0");
      browser.await("true", "location.hash = '#/nodes'");
      browser.await("document.querySelectorAll('.view-nodes tr.row').length === 50", "0");

      find(browser, "cluster7"); // of 50 nodes
      assertThat(browser.await("true", INFO)).isEqualTo("50 of 1,001");
      find(browser, "n789");
      assertThat(browser.await("true", KEYS)).isEqualTo("n789");
      browser.await("true", "document.querySelector('tr[data-key=n789]').click()");
      assertThat(
              browser.await(
                  "document.querySelector('tr.detail .nodeDetail')",
                  "document.querySelector('tr[data-key=n789]').getAttribute('aria-expanded') + ' ' + document.querySelectorAll('tr.detail').length"))
          .isEqualTo("true 1");
      assertThat(
              browser.await(
                  "document.querySelector('tr.detail canvas')",
                  "document.querySelector('tr.detail figure').dataset.points"))
          .as("one per round in each chart")
          .isEqualTo("3");
      find(browser, "");
      browser.await("true", HEAD.formatted("Heap") + ".click()");
      assertThat(
              browser.await(
                  "true", HEAD.formatted("Heap") + ".closest('th').getAttribute('aria-sort')"))
          .isEqualTo("descending");
      browser.await(
          "true",
          "(window.heaps = [...document.querySelectorAll('tr.row')].map(each => each.querySelector('.says').textContent))");
      assertThat(
              browser.await(
                  "true",
                  "heaps.length + ' ' + heaps.every((each, i) => !i || size(each) <= size(heaps[i - 1]))"
                      .replace("size(", SIZE + "(")))
          .isEqualTo("50 true");

      browser.await("true", "location.hash = '#/calls'");
      browser.await("document.querySelector('.view-calls canvas.lanes')", "0");
      find(browser, "n321/");
      var hint = browser.await("true", "document.querySelector('.view-calls .hint').textContent");
      assertThat(hint).matches("(?s)\\d+ .* on \\d lanes?\\. .*");
      browser.await("true", "document.querySelector('canvas.lanes').focus()");
      browser.press("ArrowDown");
      assertThat(browser.await("true", "document.querySelector('.chosen, aside').innerText"))
          .contains("n321/");

      browser.await("true", "location.hash = '#/objects'");
      browser.await("document.querySelector('.view-objects tr.row')", "0");
      find(browser, "Solver");
      assertThat(browser.await("true", KEYS)).contains("Solver").doesNotContain("Collector");
      assertThat(browser.problems()).isEmpty();
    }
  }

  private static void find(Browser browser, String words) throws Exception {
    browser.await(
        "true",
        "(input => (input.value = '%s', input.dispatchEvent(new Event('input', { bubbles: true }))))(document.querySelector('main input[type=search]'))"
            .formatted(words));
  }
}
