package org.troupe.dashboard;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Details of single views. */
@Timeout(120)
class PageDetailsTest {

  private static final Path PICTURES = Path.of("target", "page");

  @Test
  void showsLinksAndOptionsOfNodesWhereThereIsSpace() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
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
          .matches(
              Stream.of("tls", "uds", "–")
                  .map(
                      driver ->
                          "[0-9.]+ s [0-9.]+ MiB "
                              + driver
                              + " 12\\.3 ms behind, ± 40 µs -Xmx1g -Dmesh=fine")
                  .collect(joining(",")));
      browser.picture(PICTURES.resolve("nodes-links.png"));

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

  @Test
  void aLinkToANodeOpensItsRowAmongAll() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("true", "location.hash = '#/events'");
      browser.await(
          "document.querySelector('.view-events a[href=\"#/nodes?node=b4\"]')",
          "document.querySelector('.view-events a[href=\"#/nodes?node=b4\"]').click()");

      assertThat(
              browser.await(
                  "document.querySelector('.view-nodes .nodeDetail')",
                  "[...document.querySelectorAll('tr[aria-expanded=true]')].map(row => row.dataset.key).join() + ' of ' + document.querySelectorAll('tr.row').length"))
          .isEqualTo("b4 of 13");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void savesWhatReportsHaveSeenMeanwhileAsSampled() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 30)) {
      browser.show(page.address());
      browser.await("true", "location.hash = '#/calls'");
      browser.await(
          "document.querySelector('.view-calls canvas')",
          """
          (window.saved = [],
           URL.createObjectURL = blob => (blob.arrayBuffer().then(bytes => saved.push(new Uint8Array(bytes).toBase64?.() ?? btoa(String.fromCharCode(...new Uint8Array(bytes))))), 'blob:'),
           HTMLAnchorElement.prototype.click = function () {},
           [...document.querySelectorAll('main button')].find(each => each.innerText === 'Record 5 s').click())
          """);
      var save =
          "[...document.querySelectorAll('main button')].find(each => each.textContent === 'Save for Perfetto')";
      browser.await("!" + save + ".hidden", save + ".click()");

      var file = Base64.getDecoder().decode(browser.await("saved.length === 1", "saved[0]"));
      var recorded = "began 1795000080000".length(); // which the server has made
      var packets = new String(file, recorded, file.length - recorded, StandardCharsets.UTF_8);
      assertThat(packets)
          .contains("Seen by reports, one per second: samples, and spans at least as long as shown")
          .contains("Monitor a1/5, serving", "report(String,double[])", "sampled")
          .contains("Solver a1/2, waiting");
      assertThat(messages(file, recorded)).as("packets").isGreaterThan(100);
      assertThat(browser.await("true", save + ".title")).contains("marked as sampled");
      assertThat(browser.problems()).isEmpty();
    }
  }

  /** Returns how many messages of field 1 the bytes are, without a rest. */
  private static int messages(byte[] bytes, int from) {
    var in = ByteBuffer.wrap(bytes, from, bytes.length - from);
    var messages = 0;
    for (; in.hasRemaining(); messages++) {
      assertThat(in.get()).isEqualTo((byte) 0x0a);
      var size = 0;
      byte part;
      var shift = 0;
      do {
        part = in.get();
        size |= (part & 0x7f) << shift;
        shift += 7;
      } while (part < 0);
      in.position(in.position() + size);
    }
    return messages;
  }

  private static String pair(String node, String peer, String driver) {
    return "{\"record\":\"pair\",\"node\":\"%s\",\"peer\":\"%s\",\"driver\":\"%s\",\"messages\":1,\"bytes\":1,\"resets\":0,\"roundTripSeconds\":0}"
        .formatted(node, peer, driver);
  }

  @Test
  void asksForTheCallsOfAPairByMethod() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await("true", "location.hash = '#/traffic?find=c2'");
      browser.await(
          "document.querySelector('.view-traffic tr[data-key^=a1]')",
          "document.querySelector('.view-traffic tr[data-key^=a1]').click()");

      assertThat(
              browser.await(
                  "document.querySelector('.called tbody')",
                  "document.querySelector('.called').innerText"))
          .contains("12 messages with 3 array slices, 24 MiB")
          .contains("Solver", "exchange(Halo)", "41,200")
          .contains("9 calls of 2 more methods")
          .contains("10.0.0.1:40312", "10.0.0.7:4711");
      assertThat(page.acts()).contains("pair a1 c2");
      browser.picture(PICTURES.resolve("pair.png"));

      browser.await("true", "document.querySelector('canvas.matrix').focus()");
      browser.press("ArrowDown");
      browser.press("ArrowRight");
      assertThat(
              browser.await(
                  "document.querySelector('.matrixBox .called tbody')",
                  "document.querySelector('.matrixBox').innerText"))
          .contains("a1 → a2", "exchange(Halo)");
      assertThat(page.acts()).contains("pair a1 a2");
      browser.picture(PICTURES.resolve("pair-of-matrix.png"));
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void tellsEachLongWaitOnce() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
        var page = new SamplePage(SampleRun.troubled(), 2)) {
      browser.show(page.address());
      browser.look(1440, 900, false);
      browser.await(
          "true",
          """
          (Promise.all([import('./model.js'), import('./health.js')]).then(([{ Model }, { health }]) => {
            const model = new Model(), wait = { type: 'acme.Solver', serving: 'step()', kind: 'barrier', awaited: 'barrier()', group: '', rank: -1, size: 0, missing: [] };
            const member = { ...wait, object: 'n1/1', waitingSeconds: 90, group: 'g', rank: 0, size: 2, missing: [1] };
            model.apply({ record: 'begin', id: '1' });
            model.apply({ record: 'node', node: 'n1', element: 'e', state: 'joined', load: null });
            model.apply({ record: 'collective', group: 'g', type: 'acme.Solver', size: 2, operation: 'barrier()', arrived: [0], missing: [1], waitingSeconds: 90 });
            window.told = [[member, { ...wait, object: 'n1/1', kind: 'future', waitingSeconds: 90 }], [member, { ...wait, object: 'n1/2', kind: 'reply', waitingSeconds: 40 }]].map(waits => {
              model.apply({ record: 'waits', node: 'n1', waits });
              return health(model).items.map(each => each.what).join('; ');
            });
          }), 0)
          """);

      assertThat(browser.await("window.told", "told.join(' | ')"))
          .isEqualTo(
              "Solver group waits in barrier() for rank 1 of 2 | "
                  + "Solver group waits in barrier() for rank 1 of 2; Solver n1/2 has waited 40 s");
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void savesARecordingOfCallsForPerfetto() throws Exception {
    try (var browser = InstalledBrowser.openOrSkip();
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
