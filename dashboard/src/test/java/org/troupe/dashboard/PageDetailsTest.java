package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Details of single views. */
@Timeout(120)
class PageDetailsTest {

  private static final Path WORK =
      Path.of("target", "browser-details-" + ProcessHandle.current().pid());

  @Test
  void showsLinksAndOptionsOfNodesWhereThereIsSpace() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip(WORK);
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      page.recorded().add(page.recorded().size() - 1, pair("a1", "main", "tls"));
      page.recorded().add(page.recorded().size() - 1, pair("main", "a2", "uds"));
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("true", "location.hash = '#/nodes'");

      assertThat(
              browser.await(
                  "document.querySelector('tr[data-key=a1]')",
                  "['a1', 'a2', 'b2'].map(each => [...document.querySelectorAll('tr[data-key=' + each + '] .extra')].map(cell => cell.innerText).join(' ')).join()"))
          .isEqualTo("tls -Xmx1g -Dmesh=fine,uds -Xmx1g -Dmesh=fine,– -Xmx1g -Dmesh=fine");
      browser.picture(Path.of("target", "page", "nodes-links.png"));

      browser.look(900, 700, false);
      assertThat(
              browser.await(
                  "true",
                  "[...document.querySelectorAll('.extra')].every(each => each.offsetWidth === 0)"))
          .as("in a narrow page")
          .isEqualTo("true");
      assertThat(browser.problems()).isEmpty();
    }
  }

  private static String pair(String node, String peer, String driver) {
    return "{\"record\":\"pair\",\"node\":\"%s\",\"peer\":\"%s\",\"driver\":\"%s\",\"messages\":1,\"bytes\":1,\"resets\":0,\"roundTripSeconds\":0}"
        .formatted(node, peer, driver);
  }

  @Test
  void savesARecordingOfCallsForPerfetto() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip(WORK);
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await("true", "location.hash = '#/calls'");
      var save =
          "[...document.querySelectorAll('main button')].find(each => each.textContent === 'Save for Perfetto')";
      assertThat(browser.await(save, save + ".hidden")).isEqualTo("true");

      browser.await(
          "true",
          """
          (window.saved = [],
           URL.createObjectURL = blob => (blob.text().then(text => saved.push(text)), 'blob:'),
           HTMLAnchorElement.prototype.click = function () { saved.push(this.download); },
           [...document.querySelectorAll('main button')].find(each => each.innerText === 'Record 5 s').click())
          """);
      browser.await("!" + save + ".hidden", save + ".click()");

      assertThat(browser.await("saved.length === 2", "saved.sort().join()"))
          .as("the recording that is shown")
          .isEqualTo("began 1795000080000,troupe.pftrace");
      assertThat(browser.problems()).isEmpty();
    }
  }
}
