package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.browser.Browser;

/** The timeline of calls with gaps that are collapsed. */
@Timeout(120)
class TimelinePageTest {

  private static final Path PICTURES = Path.of("target", "page");

  /** The texts on the canvas since its last drawing. */
  private static final String SEE_TEXTS =
      """
      (pen => {
        const { fillText, clearRect } = pen;
        pen.clearRect = function (...box) { window.written = []; clearRect.apply(this, box); };
        pen.fillText = function (text, ...place) { window.written.push(text); fillText.call(this, text, ...place); };
      })(CanvasRenderingContext2D.prototype)
      """;

  private static final String COLLAPSE =
      "[...document.querySelectorAll('main button')].find(each => each.innerText === 'Collapse gaps')";
  private static final String HINT = // empty while the file of the view is on its way
      "(document.querySelector('.view-calls .hint')?.textContent ?? '')";

  @Test
  void collapsesTimeWithoutSpansAndZoomsToTrueTimes() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("document.getElementById('link').dataset.state === 'live'", SEE_TEXTS);
      browser.await("true", "location.hash = '#/calls?find=a1%2F77'");
      browser.await(
          "document.querySelector('.view-calls canvas')",
          "[...document.querySelectorAll('main button')].find(each => each.innerText === 'Record 5 s').click()");
      browser.await(HINT + ".startsWith('2 spans on 1 lane.')", "0"); // 2 s of 5 s
      assertThat(browser.await("true", HINT)).doesNotContain("collapsed");

      browser.await("true", COLLAPSE + ".focus()");
      browser.press("Enter");

      assertThat(browser.await("true", COLLAPSE + ".getAttribute('aria-pressed')"))
          .isEqualTo("true");
      assertThat(browser.await("true", HINT)).contains("1 gap of 3 s is collapsed.");
      assertThat(browser.await("true", "written")).contains("3 s");
      browser.picture(PICTURES.resolve("collapsed.png"));

      drag(browser, "170", "170 + (canvas.clientWidth - 170 - 64) / 2"); // half of the two seconds

      assertThat(
              browser.await(
                  "true", "written.filter(each => /:/.test(each)).map(each => each.slice(-6))"))
          .isEqualTo("00.200,00.400,00.600,00.800");
      assertThat(browser.await("true", HINT)).contains("No gap is long enough to be collapsed.");

      browser.await("true", "location.hash = '#/map'");
      browser.await("document.querySelector('.view-map')", "location.hash = '#/calls'");
      assertThat(
              browser.await(
                  "document.querySelector('.view-calls')",
                  COLLAPSE + ".getAttribute('aria-pressed')"))
          .as("remembered")
          .isEqualTo("true");
      assertThat(browser.problems()).isEmpty();
    }
  }

  /** Rounds of what one object serves: since when reports see it, and the method. */
  private static final String SEE =
      """
      (import('./spans.js').then(({ Spans }) => {
        const spans = new Spans();
        [%s].forEach(([leastSeconds, serving], round) => {
          spans.note('n1', 'serving', serving ? [{ object: 'n1/1', type: 'T', serving, caller: "node 'main'", servingSeconds: round + 9, leastSeconds }] : []);
          spans.settle(1000 * round);
        });
        window.seen = spans.between(0, 99_000).map(({ label, from, to, seenAt }) => label + ' ' + (seenAt ? 'at ' + seenAt.join(' ') : from + '-' + to)).join(', ');
      }), window.seen = null, 0)
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one that goes on        | [0, 'a'], [1, 'a'], [2, 'a'], [0, '']                       | a 0-2000
          short ones              | [0, 'a'], [0, 'a'], [0, 'a'], [0, '']                       | a at 0 1000 2000
          short ones, then a long | [0, 'a'], [0, 'a'], [1, 'a'], [2, 'a']                      | a at 0, a 1000-3000
          a long one, then short  | [0, 'a'], [1, 'a'], [0, 'a'], [0, 'a']                      | a 0-1000, a at 2000 3000
          two long ones           | [0, 'a'], [1, 'a'], [0, 'a'], [1, 'a']                      | a 0-1000, a 2000-3000
          two methods             | [0, 'a'], [0, 'b'], [1, 'b'], [0, 'a']                      | a at 0, b 1000-2000, a at 3000
          begun before the page   | [7, 'a'], [8, 'a']                                          | a -7000-1000
          of another watcher      | [0, 'a'], [1, 'a'], [0.4, 'a'], [1.4, 'a']                  | a 0-1000, a 1600-3000
          of an older program     | [undefined, 'a'], [undefined, 'a']                          | a at 0 1000
          """)
  void drawsNoSpanWithoutReportsThatHaveSeenItGoOn(String what, String rounds, String spans)
      throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 1)) {
      browser.show(page.address());
      browser.await("true", SEE.formatted(rounds));

      assertThat(browser.await("window.seen !== null", "seen")).as(what).isEqualTo(spans);
    }
  }

  @Test
  void tellsWhenAReportHasSeenASample() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 20)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("true", "location.hash = '#/calls?find=b2%2F5'");
      browser.await(HINT + ".startsWith('20 samples on 1 lane.')", "0");

      browser.await("true", "document.querySelector('canvas.lanes').focus()");
      browser.press("ArrowDown");
      browser.press("ArrowDown");

      assertThat(browser.await("true", "document.querySelector('.chosen').innerText"))
          .contains("Seen at", ":41.000", "Reports that have seen one", "20", "not known")
          .doesNotContain("Took");
      browser.await(
          "true",
          "(canvas => canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: canvas.getBoundingClientRect().right - 1, clientY: canvas.getBoundingClientRect().top + 60 })))(document.querySelector('canvas.lanes'))");
      assertThat(browser.await("true", "document.querySelector('canvas.lanes').title"))
          .startsWith("report(String,double[]), seen at ")
          .endsWith(":59.000");
      browser.picture(PICTURES.resolve("samples.png"));
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void stretchesWhatIsLeftAndKeepsItsTimes() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(
          "true",
          """
          (import('./timescale.js').then(({ gapsOf, TimeScale }) => {
            const spans = [[40_000, 41_000], [0, 1000], [500, 2000], [99_000, 120_000]].map(([from, to]) => ({ from, to }));
            window.scale = new TimeScale(0, 100_000, 100, 1128, gapsOf(spans, 0, 100_000));
          }), 0)
          """);

      assertThat(
              browser.await("window.scale", "scale.breaks.map(each => each.from + '-' + each.to)"))
          .isEqualTo("2000-40000,41000-99000");
      assertThat(
              browser.await(
                  "true",
                  "[0, 1000, 2000, 40_000, 41_000, 99_000, 100_000].map(time => scale.x(time))"))
          .as("4 s on 900 pixels, and two breaks of 64")
          .isEqualTo("100,325,550,614,839,903,1128");
      assertThat(
              browser.await(
                  "true",
                  "[0, 1500, 21_000, 40_500, 99_500].map(time => Math.round(scale.timeAt(scale.x(time))))"))
          .isEqualTo("0,1500,21000,40500,99500");
    }
  }

  private static void drag(Browser browser, String from, String to) throws Exception {
    browser.await(
        "true",
        """
        ((canvas, send) => {
          canvas.setPointerCapture = () => {}; // which a pointer without a device cannot be
          send('pointerdown', %s);
          send('pointermove', %s);
          send('pointerup', %2$s);
        })(...(canvas => [canvas, (type, x) => canvas.dispatchEvent(new PointerEvent(type, { clientX: canvas.getBoundingClientRect().left + x, clientY: canvas.getBoundingClientRect().top + 30 }))])(document.querySelector('canvas.lanes')))
        """
            .formatted(from, to));
  }
}
