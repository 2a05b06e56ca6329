package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page says of itself and of a run that sends nothing any more. */
@Timeout(120)
class PageStatesTest {

  private static final String IS_LIVE = "document.getElementById('link')?.dataset.state === 'live'";

  @Test
  void namesARunByItsProgram() throws Exception {
    var names =
        Map.of(
            "org.acme.Main 7", "Main",
            "/opt/acme/solve.jar x", "solve.jar",
            "troupe run em3d cube:33", "em3d",
            "troupe run --dashboard --on 17 em3d --main x", "em3d",
            "troupe run --class-path a:b --main org.acme.Farm --main x", "Farm",
            "/opt/troupe run --dashboard --class-path=lib/farm.jar 7", "farm.jar",
            "troupe run", "troupe");
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(
          "true",
          "(import('./format.js').then(({ programName }) => window.nameOf = programName), 0)");
      for (var each : names.entrySet()) {
        assertThat(browser.await("window.nameOf", "nameOf('" + each.getKey() + "')"))
            .isEqualTo(each.getValue());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'Not known yet: a rate is the difference of two reports, and this is the first one.'",
    "2, All methods"
  })
  void saysThatRatesNeedTwoReports(int rounds, String text) throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), rounds)) {
      browser.show(page.address());

      assertThat(
              browser.await(
                  IS_LIVE + " && document.querySelector('.hottest')?.innerText",
                  "document.querySelector('.hottest').innerText"))
          .contains(text);
    }
  }

  @Test
  void opensEachViewAfterTheEndOfItsServer() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip()) {
      try (var page = new SamplePage(SampleRun.troubled(), 2)) {
        browser.show(page.address());
        browser.await(IS_LIVE, "0");
        browser.await(SamplePage.HAS_ALL_VIEWS, "0");
      }

      for (var view : List.of("map", "traffic", "calls", "waits", "panels")) {
        browser.await("true", "location.hash = '#/" + view + "'");
        browser.await("document.querySelector('.view-" + view + "')", "0");
      }
    }
  }

  @Test
  void takesTheTokensOfAnAddressThatIsOpenedInItsTab() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      var address = URI.create(page.address());
      browser.show(page.address().replaceFirst("#.*", ""));
      assertThat(
              browser.await(
                  "document.getElementById('link').dataset.state === 'refused'",
                  "document.getElementById('content').innerText"))
          .contains("the request has no token", "everything behind the #");

      browser.await("true", "location.hash = '#" + address.getRawFragment() + "'");

      browser.await(IS_LIVE, "0");
      assertThat(browser.await("true", "location.href")).doesNotContain("token");
    }
  }

  @Test
  void saysThatAProgramSendsNoReports() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(IS_LIVE, "0");

      browser.await(
          "true",
          "(window.told = [], import('./stream.js').then(({ LiveStream }) => new LiveStream('20261127-1', record => record.record === 'round', (state, text) => window.told.push(state + ': ' + text), { silenceMillis: 50 }).start()), 0)");

      assertThat(
              browser.await(
                  "window.told.some(each => each.startsWith('silent'))",
                  "window.told.find(each => each.startsWith('silent'))"))
          .contains("sends no reports", "may be stopped", "./troupe stack");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void saysSinceWhenItsDashboardDoesNotAnswer() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.large(2), 2)) {
      browser.show(page.address());
      browser.look(1280, 800, false);
      browser.await(IS_LIVE, "0");
      assertThat(browser.await("true", "document.getElementById('health').dataset.level"))
          .isEqualTo("good");

      page.close();

      assertThat(browser.await("text('health').includes('does not answer')", "text('health')"))
          .matches("No report since \\d\\d:\\d\\d:\\d\\d\\. The dashboard does not answer\\. .*")
          .contains("start ./troupe dashboard again", "The last report: All 2 nodes are up");
      assertThat(browser.await("true", "document.getElementById('health').dataset.level"))
          .isEqualTo("attention");
      assertThat(
              browser.await(
                  "document.querySelector('.attention .what')",
                  "document.querySelector('.attention').innerText"))
          .contains("No report since", "What is shown is the last report.");
      browser.picture(Path.of("target", "page", "gone.png"));
    }
  }

  @Test
  void saysWhyItListsRuns() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      page.listMoreRuns();

      browser.show(page.address());

      assertThat(
              browser.await(
                  "document.querySelectorAll('.view-runs tr.row').length === 4",
                  "document.querySelector('.view-runs .answer').textContent"))
          .isEqualTo("2 runs go on, and 2 have ended. Choose the one to be shown.");
      assertThat(browser.await("true", "text('health')")).isEmpty();
      assertThat(
              browser.await(
                  "true",
                  "[...document.querySelectorAll('.view-runs tr.row')].map(each => each.dataset.key).join()"))
          .as("running ones first, then the newest")
          .isEqualTo("20261127-3,20261127-1,20261127-2,20261126-9");
      browser.picture(Path.of("target", "page", "runs.png"));
      browser.await(
          "true", "document.querySelector('.view-runs tr[data-key=\"20261127-1\"]').click()");
      browser.await(IS_LIVE, "0");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void saysThatItShowsTheLastReportOfARunThatHasEnded() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await(IS_LIVE, "0");

      page.endRun();

      assertThat(
              browser.await(
                  "document.getElementById('link').dataset.state === 'ended'", "text('health')"))
          .startsWith("The run has ended. Its last report: 9 of 12 nodes up");
      assertThat(
              browser.await(
                  "document.body.innerText.includes('The page shows its last report')",
                  "document.querySelector('.attention a').getAttribute('href')"))
          .isEqualTo("#/runs");
      browser.picture(Path.of("target", "page", "ended.png"));
    }
  }

  @Test
  void saysThatPanelsAreThoseOfARunThatHasEnded() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(IS_LIVE, "0");
      browser.await("true", "location.hash = '#/panels'");
      browser.await("document.querySelector('.view-panels canvas.picture')", "0");

      page.endRun();

      assertThat(
              browser.await(
                  "document.querySelector('.view-panels').innerText.includes('has ended')",
                  "document.querySelector('.view-panels').innerText"))
          .contains("The run has ended. What is shown is its last report.", "20 of 1,000");
    }
  }

  @Test
  void opensTheReportOfARunThatHasEnded() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(IS_LIVE, "0");

      page.endRunWithReport();

      assertThat(
              browser.await(
                  "document.getElementById('link').dataset.state === 'recorded' && document.querySelector('.attention .what')",
                  "document.querySelector('.attention').innerText"))
          .contains("the program failed: no <b>mesh");
      assertThat(browser.await("true", "document.getElementById('player').hidden"))
          .isEqualTo("false");
      assertThat(browser.problems()).isEmpty();
    }
  }

  /** The clock of the page is replaced, so that its pauses take no time. */
  @Test
  void asksAServerThatDoesNotAnswerLessAndLessOften() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(IS_LIVE, "0");

      browser.await(
          "true",
          """
          (window.told = [], window.pauses = [], window.later = window.setTimeout,
           window.fetch = () => Promise.reject(new TypeError('refused')),
           window.setTimeout = (task, millis) => millis >= 1000 && millis !== 25000
             ? (window.pauses.push(millis), window.later(task, 0)) : window.later(task, millis),
           import('./stream.js').then(({ LiveStream }) => {
             const stream = window.tried = new LiveStream('1', () => false, (state, text) => {
               window.told.push(state + ': ' + text);
               if (window.told.length === 9) stream.stop();
             });
             stream.start();
           }), 0)
          """);

      assertThat(
              browser.await(
                  "window.told.length === 9",
                  "window.told[3] + '|' + window.told[4] + '|' + window.pauses.slice(0, 8)"))
          .isEqualTo(
              "waiting: The dashboard does not answer. If it has ended, start ./troupe dashboard again and open the new address."
                  + "|lost: The dashboard does not answer. If it has ended, start ./troupe dashboard again and open the new address. The page tries again each minute."
                  + "|1000,2000,4000,8000,16000,32000,60000,60000");
      assertThat(browser.await("true", "window.tried.isPolling"))
          .as("a stream is asked for again")
          .isEqualTo("false");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void announcesOnlyWhatDoesNotChangeEachSecond() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(IS_LIVE, "0");

      assertThat(browser.await("true", "text('announced')"))
          .startsWith("9 of 12 nodes up")
          .contains("1 deadlock found", "an object waits for long")
          .doesNotContain("longest wait");
      assertThat(
              browser.await(
                  "true",
                  "[...document.querySelectorAll('[aria-live=polite], [role=status]')].some(each => /longest wait/.test(each.textContent))"))
          .isEqualTo("false");
    }
  }
}
