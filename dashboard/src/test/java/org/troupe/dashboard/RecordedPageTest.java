package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page with a recording in it, from a server and as the file of a report. */
@Timeout(120)
class RecordedPageTest {

  private static final Path PICTURES = Path.of("target", "page");

  @Test
  void showsARecordingAtAnyOfItsTimes() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 20)) {
      browser.show(page.addressOfRecording());
      browser.look(1440, 900, false);

      assertThat(
              browser.await(
                  "document.getElementById('link').textContent === 'recording'", "text('health')"))
          .contains("1 deadlock found", "longest wait 66 s");
      assertThat(
              browser.await(
                  "document.querySelector('.attention .what')",
                  "document.querySelector('.attention').innerText"))
          .contains("the program failed: no <b>mesh", "3 rows did not fit");
      assertThat(browser.await("true", "document.getElementById('slider').max")).isEqualTo("19");
      browser.await("true", "document.getElementById('slider').focus()");
      browser.press("Home");
      assertThat(browser.await("true", "text('health')")).contains("longest wait 47 s");
      browser.press("ArrowRight");
      assertThat(browser.await("true", "text('health')")).contains("longest wait 48 s");
      browser.await("true", "location.hash = '#/logs'");
      browser.await("document.querySelector('.logText')?.textContent === 'the last line'", "0");
      browser.await("true", "location.hash = '#/panels'");
      browser.await("document.querySelectorAll('canvas.picture').length === 3", "0");
      assertThat(browser.await("true", "document.querySelectorAll('main button').length"))
          .isEqualTo("0");
      browser.await("true", "location.hash = '#/actions'");
      assertThat(
              browser.await(
                  "document.querySelector('.view-actions .empty')",
                  "document.querySelector('main').innerText"))
          .contains("Nothing can be changed here", "a recording of a run that has ended");
      browser.await("true", "location.hash = '#/map'");
      browser.await("document.querySelector('canvas.map')", "0");
      assertThat(browser.await("true", "document.querySelectorAll('[type=range]').length"))
          .as("sliders")
          .isEqualTo("1");
      browser.await("true", "location.hash = '#/events'");
      browser.await("document.querySelector('.view-events tr.row')", "0");
      browser.picture(PICTURES.resolve("recording.png"));
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void isWholeInTheFileOfAReport() throws Exception {
    var file = Path.of("target", "page", "report.html").toAbsolutePath();
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 5)) {
      ReportFile.write(file, page.recorded());
      browser.show(file.toUri().toString());
      browser.look(1440, 900, false);

      assertThat(
              browser.await(
                  "document.getElementById('link').textContent === 'recording'", "text('health')"))
          .contains("1 deadlock found");
      browser.await("true", "location.hash = '#/nodes?find=a1'");
      browser.await(
          "document.querySelectorAll('.view-nodes tr.row').length === 1",
          "document.querySelector('tr.row').click()");
      browser.await("document.querySelectorAll('.chart canvas').length === 6", "0");
      browser.picture(PICTURES.resolve("report.png"));
      assertThat(browser.problems()).isEmpty();
    }
  }
}
