package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The map of a live page at rounds that have passed. */
@Timeout(120)
class MapPastTest {

  private static final Path PICTURES = Path.of("target", "page");
  private static final String SLIDER = "document.querySelector('.times input')";
  private static final String TOLD = "document.querySelector('.times .info').textContent";
  private static final String PICTURE = "document.querySelector('canvas.map').toDataURL()";

  @Test
  void goesBackInTimeAndReturns() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 30)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("text('health').includes('longest wait 76 s')", "0"); // of the last round
      browser.await("true", "location.hash = '#/map'");
      browser.await(SLIDER, SLIDER + ".focus()");
      assertThat(browser.await("true", TOLD)).isEqualTo("now");
      browser.await("true", "window.now = " + PICTURE);

      browser.press("Home");

      assertThat(browser.await("true", TOLD))
          .matches("The map shows the past: \\d\\d:\\d\\d:\\d\\d, 29 s ago\\.");
      assertThat(browser.await("true", SLIDER + ".getAttribute('aria-valuetext')"))
          .endsWith(", in the past");
      assertThat(browser.await("true", PICTURE + " === now")).isEqualTo("false");
      assertThat(browser.await("true", "document.querySelector('.arcs').textContent"))
          .as("there are no rates before the second round")
          .contains("no pair of JVMs has traffic");
      browser.press("ArrowRight");
      assertThat(browser.await("true", TOLD)).endsWith(", 28 s ago.");
      browser.picture(PICTURES.resolve("map-past.png"));

      browser.await("true", "document.querySelector('.times button').click()");

      assertThat(browser.await("true", TOLD)).isEqualTo("now");
      assertThat(browser.await("true", PICTURE + " === now")).isEqualTo("true");
      assertThat(browser.await("true", "document.activeElement === " + SLIDER)).isEqualTo("true");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void showsAReleasedNodeAmongThoseThatHaveEnded() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await(
          "true",
          """
          (import('./views/map.js').then(({ map }) => {
            const write = CanvasRenderingContext2D.prototype.fillText, written = [];
            CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
              written.push(text);
              write.call(this, text, ...place);
            };
            const node = (name, state, detail) => [name, { name, state, row: { host: '', cluster: '', detail }, load: null, waits: [], queues: [], classes: new Map() }];
            const model = { now: 0, types: new Map(), pairs: new Map(), nodes: new Map([node('n1', 'ended', 'signal 9'), node('n2', 'released', 'it was released')]) };
            const view = map.make({ store: new Map(), model, recording: null, past: { moments: [model] } });
            document.body.append(view.element);
            view.update();
            window.written = written.join(', ');
            view.element.remove();
            CanvasRenderingContext2D.prototype.fillText = write;
          }), 0)
          """);

      assertThat(browser.await("window.written", "written"))
          .contains("ended · 2 JVMs", "n1 (ended)", "n2 (released)");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void keepsTenMinutesOfSmallGridsAndLessOfLargeOnes() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(
          "true",
          """
          (import('./moments.js').then(({ Past }) => {
            const node = (_, i) => ({ name: 'n' + i, state: 'joined', row: {}, load: null, waits: [], queues: [], classes: new Map() });
            window.kept = (nodes, rounds) => {
              const past = new Past(), model = { nodes: new Map(Array.from({ length: nodes }, node).map(each => [each.name, each])), pairs: new Map() };
              for (let round = 0; round < rounds; round++) {
                for (const each of model.nodes.values()) each.load = { objects: round, queued: round };
                past.add({ ...model, now: 1000 * round });
              }
              return past.moments.length + ' to ' + past.moments.at(-1).time;
            };
          }), 0)
          """);

      assertThat(browser.await("window.kept", "kept(5, 1000)")).isEqualTo("601 to 999000");
      assertThat(browser.await("true", "kept(10000, 250)"))
          .as("16 MB, of 81.5 KB for two columns of numbers and the rest of a moment")
          .isEqualTo("196 to 249000");
    }
  }

  @Test
  void countsAnObjectThatWaitsWithinItsServiceOnce() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(
          "true",
          """
          (import('./moments.js').then(({ Moment }) => {
            const type = { type: 'Member', objects: 3, serving: 2 };
            const node = { name: 'n', state: 'joined', row: {}, load: { objects: 3, waiting: 1, queued: 0 }, waits: [], queues: [], classes: new Map([['Member', type]]) };
            const { objects, waiting, serving } = new Moment({ now: 0, nodes: new Map([['n', node]]), pairs: new Map() }).nodes[0];
            window.counted = `${objects}: ${waiting} waiting, ${serving} serving`;
          }), 0)
          """);

      assertThat(browser.await("window.counted", "counted")).isEqualTo("3: 1 waiting, 1 serving");
    }
  }
}
