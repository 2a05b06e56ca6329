package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.browser.Browser;

/** What the page keeps of the past of a run, and the memory that it takes. */
@Timeout(240)
class PageMemoryTest {

  private static final Path WORK =
      Path.of("target", "browser-memory-" + ProcessHandle.current().pid());

  private static final int NODES = 100;
  private static final int COLLECTIONS = 5; // the engine drops code in several of them
  private static final double KIBI = 1024;

  /** Feeds a model and the past of the map with rounds in which all figures change. */
  private static final String FEED =
      """
      (Promise.all([import('./model.js'), import('./moments.js')]).then(([{ Model }, { Past }]) => {
        const kept = window.kept = { model: new Model(), past: new Past(), millis: 1e12, rounds: 0 };
        kept.model.apply({ record: 'begin', id: 'fed', run: '1', isWhole: true });
        window.feed = (rounds, seconds) => {
          for (let i = 0; i < rounds; i++) {
            const some = () => Math.random() * 10, count = kept.rounds++;
            for (let n = 0; n < %d; n++) {
              const node = 'node-' + n, sum = 20 * count + Math.floor(some());
              const load = { served: sum, failed: 0, cpuSeconds: sum / 1000, collectionSeconds: 0, heapUsedBytes: 1e8 + 1e7 * some(), heapMostBytes: 1e9, objects: 5, queued: 0, waiting: 0, pending: 0 };
              kept.model.apply({ record: 'node', node, element: 'e', host: 'h' + n, cluster: 'c', virtualNodes: [], state: 'joined', detail: '', pid: n, isSilent: false, load });
              kept.model.apply({ record: 'class', node, type: 'Counter', objects: 5, queued: 0, serving: 0, longestQueue: 0, longestObject: '' });
              if (n < 4) kept.model.apply({ record: 'queues', node, queues: [{ object: node + '/1', type: 'Counter', queued: 1, serving: 'add' + count %% 2, caller: '', servingSeconds: 0.1, leastSeconds: 0 }] });
              for (const [from, to] of [[node, 'main'], ['main', node]]) kept.model.apply({ record: 'pair', node: from, peer: to, driver: 'tcp', messages: sum, bytes: 70 * sum, resets: 0, roundTripSeconds: 0 });
            }
            kept.model.apply({ record: 'round', cursor: '', timeMillis: kept.millis += 1000 * seconds, nodes: %1$d, silent: [] });
            kept.past.add(kept.model);
          }
          return rounds;
        };
      }), 0)"""
          .formatted(NODES);

  @Test
  void takesLittleMoreMemoryFromRoundToRoundAndNoneInTheEnd() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip(WORK);
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(SamplePage.HAS_ALL_VIEWS, FEED); // their code is no growth
      browser.await("window.feed", "feed(70, 1)");
      var afterAMinute = heapKibi(browser);

      browser.await("true", "feed(600, 1)");
      var perMinute = (heapKibi(browser) - afterAMinute) / 10;
      browser.await("true", "feed(550, 4)"); // more than is kept of nodes and of the map
      var whole = heapKibi(browser);
      browser.await("true", "feed(400, 4)");

      assertThat(perMinute).as("KiB per minute of %d nodes", NODES).isLessThan(300);
      assertThat(heapKibi(browser) - whole).as("KiB more in 400 rounds").isLessThan(150);
      assertThat(browser.await("true", "kept.past.moments.length")).isEqualTo("151");
    }
  }

  private static double heapKibi(Browser browser) throws IOException, InterruptedException {
    for (var i = 0; i < COLLECTIONS; i++) {
      browser.heapBytes();
    }
    return browser.heapBytes() / KIBI;
  }

  @Test
  void keepsHalfAnHourOfANodeInAveragesAndTheLastMinuteAsItCame() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip(WORK);
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.await(
          "true",
          """
          (import('./counters.js').then(({ History }) => {
            const own = window.own = new History(['index', 'unknown'], 60);
            for (let i = 0; i < 3000; i++) own.add(1000 * i, [i, i % 4 ? undefined : i]);
            const late = window.late = new History(['index', 'unknown'], 60);
            for (let i = 1000; i < 1100; i++) late.add(1000 * i, [i, NaN]);
            late.addPast(Array.from({ length: 1050 }, (_, i) => [1000 * i, [i]]));
            const past = window.past = new History(['index'], 60);
            past.addPast(Array.from({ length: 100 }, (_, i) => [1000 * i, [i]]));
            const back = window.back = new History(['index'], 60);
            for (let i = 0; i < 200; i++) back.add(1000 * (i < 20 ? 5000 + i : i), [i]);
          }), 0)
          """);

      assertThat(browser.await("window.own", "own.seconds().slice(-62).join()"))
          .as("the average of the points of 4 s has the time of the last one")
          .startsWith("2935,2939,2940,2941")
          .endsWith("2998,2999");
      assertThat(browser.await("true", "own.column('index').slice(-62).join()"))
          .startsWith("2933.5,2937.5,2940,2941");
      assertThat(browser.await("true", "own.column('unknown').slice(-62, -59).join()"))
          .as("an average of what was known")
          .isEqualTo("2932,2936,2940");
      assertThat(browser.await("true", "own.last('index') + ' of ' + own.seconds().length"))
          .isEqualTo("2999 of 511");
      assertThat(browser.await("true", "2999 - own.seconds()[0] >= 1800")).isEqualTo("true");
      assertThat(
              browser.await("true", "late.seconds().slice(0, 2) + ' of ' + late.seconds().length"))
          .as(
              "251 steps before, of which its own first one overlaps the last, 10 of its own, and its last minute")
          .isEqualTo("3,7 of 321");
      assertThat(
              browser.await(
                  "true", "late.seconds().every((each, i, all) => !i || each > all[i - 1])"))
          .isEqualTo("true");
      assertThat(browser.await("true", "past.column('index').join()"))
          .as("the last minute of a past is as it came, too")
          .startsWith("1.5,5.5,")
          .contains(",37.5,40,41,")
          .endsWith(",98,99");
      assertThat(browser.await("true", "back.leaving.length + ' of ' + back.seconds().length"))
          .as("after a clock was set back, averages are of some seconds still")
          .isEqualTo("4 of 95");
    }
  }
}
