package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.browser.Browser;

/**
 * The page in a browser: what its views show of a run with one of each trouble. Pictures go to
 * {@code target/page}.
 */
@Timeout(120)
class DashboardPageTest {

  private static final Path PICTURES = Path.of("target", "page");
  private static final int ROUNDS = 30;

  private static SamplePage page;
  private static Browser browser;

  @BeforeAll
  static void open() throws Exception {
    browser = InstalledBrowser.openOrSkip();
    page = new SamplePage(SampleRun.troubled(), ROUNDS);
    browser.show(page.address());
    browser.look(1440, 900, false);
    browser.await(
        "document.getElementById('link').dataset.state === 'live' && text('health').includes('longest wait 76 s')", // of the last round
        "0");
  }

  @AfterAll
  static void close() throws Exception {
    if (page != null) {
      page.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void nothingWasRefusedOrFailed() {
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void tellsTheHealthOfTheRunInOneSentence() throws Exception {
    assertThat(browser.await("true", "text('health')"))
        .startsWith("9 of 12 nodes up, 1 starting, 1 silent, 1 ended")
        .contains("element vienna waits: PENDING: Priority, 3rd in queue")
        .contains("1 deadlock found", "longest wait");
  }

  @Test
  void showsNoLoadAndNoObjectsOfANodeThatHasEnded() throws Exception {
    browser.await("true", "location.hash = '#/nodes?find=b4'");
    assertThat(
            browser.await(
                "document.querySelectorAll('.view-nodes tr.row').length === 1",
                "document.querySelector('tr.row').innerText"))
        .contains("ended", "host3")
        .doesNotContain("MiB");

    browser.await("true", "location.hash = '#/objects?find=Solver'");
    assertThat(
            browser.await(
                "document.querySelectorAll('.view-objects tr.row').length === 1",
                "document.querySelector('tr.row').children[1].innerText"))
        .as("three on each of ten nodes")
        .isEqualTo("30");
  }

  @Test
  void remembersTheClusterOfANodeThatHasEnded() throws Exception {
    browser.await(
        "true",
        """
        (import('./model.js').then(({ Model }) => {
          const model = new Model(), node = { record: 'node', node: 'n1', element: 'e', load: null };
          model.apply({ ...node, state: 'joined', cluster: 'lyon' });
          model.apply({ ...node, state: 'ended', cluster: '' });
          window.ended = model.node('n1').row;
        }), 0)
        """);

    assertThat(browser.await("window.ended", "ended.state + ' ' + ended.cluster"))
        .isEqualTo("ended lyon");
  }

  /** A report of a running program has one round, and the past of the nodes. */
  @Test
  void knowsTheRatesOfOneRoundFromThePast() throws Exception {
    browser.await(
        "true",
        """
        (import('./model.js').then(({ Model }) => {
          const model = new Model(), load = { served: 700, failed: 0, cpuSeconds: 9, collectionSeconds: 0, queued: 0, waiting: 0, heapUsedBytes: 1 };
          model.apply({ record: 'node', node: 'n1', element: 'e', state: 'joined', cluster: 'lyon', load });
          model.apply({ record: 'pair', node: 'n1', peer: 'n2', driver: 'tcp', messages: 1, bytes: 5000, resets: 0 });
          model.apply({ record: 'vitals', node: 'n1', timeMillis: [1000, 3000], cores: [0.5, 1.5], heapUsedBytes: [1, 1], collecting: [0, 0], served: [10, 20], queued: [0, 0], waiting: [0, 0], bytesOut: [100, 200] });
          model.apply({ record: 'round', timeMillis: 4000 });
          window.rates = ['calls', 'cpu', 'bytes'].map(name => model.totals.last(name)).join();
        }), 0)
        """);

    assertThat(browser.await("window.rates", "rates")).isEqualTo("20,1.5,200");
  }

  @Test
  void takesNoRatesFromAPastThatEndedLongBeforeNorOfANodeThatHasEnded() throws Exception {
    browser.await(
        "true",
        """
        (import('./model.js').then(({ Model }) => {
          const load = { served: 700, failed: 0, cpuSeconds: 9, collectionSeconds: 0, queued: 0, waiting: 0, heapUsedBytes: 1 };
          window.ratesAt = (state, timeMillis) => {
            const model = new Model();
            model.apply({ record: 'node', node: 'n1', element: 'e', state, cluster: 'lyon', load });
            model.apply({ record: 'vitals', node: 'n1', timeMillis: [1000, 4000], cores: [0.5, 1.5], heapUsedBytes: [1, 1], served: [10, 20], bytesOut: [100, 200] });
            model.apply({ record: 'round', timeMillis });
            const { calls, cpu, bytesOut } = model.node('n1');
            return [calls, cpu, bytesOut, model.totals.last('bytes'), model.node('n1').history.last('bytesOut')].join();
          };
        }), 0)
        """);

    assertThat(browser.await("window.ratesAt", "ratesAt('joined', 10000)"))
        .as("two intervals later")
        .isEqualTo("20,1.5,200,200,200");
    assertThat(browser.await("true", "ratesAt('joined', 3604000)"))
        .as("an hour later")
        .isEqualTo("NaN,NaN,NaN,NaN,NaN");
    assertThat(browser.await("true", "ratesAt('ended', 5000)"))
        .as("of a node that has ended, whose past is kept")
        .isEqualTo("NaN,NaN,NaN,NaN,200");
  }

  @Test
  void doesNotCountAReleasedNodeAsLost() throws Exception {
    browser.await(
        "true",
        """
        (Promise.all([import('./model.js'), import('./health.js')]).then(([{ Model }, { health, nodeCounts }]) => {
          const model = new Model(), node = { record: 'node', element: 'e', cluster: 'lyon', detail: '', load: null };
          model.apply({ record: 'begin', run: 'r', program: 'P' });
          model.apply({ ...node, node: 'n1', state: 'joined' });
          model.apply({ ...node, node: 'n2', state: 'ended', detail: 'it was released' });
          window.counts = JSON.stringify(nodeCounts(model)) + health(model).sentence;
        }), 0)
        """);

    assertThat(browser.await("window.counts", "counts"))
        .contains("\"all\":1", "\"ended\":0", "\"released\":1")
        .contains("The one node is up, 1 released");
  }

  @Test
  void countsTheSameNodesEverywhere() throws Exception {
    open("map");
    browser.await(
        "true",
        "(window.squares = new Set(), window.square = CanvasRenderingContext2D.prototype.roundRect, CanvasRenderingContext2D.prototype.roundRect = function (...box) { if (this.canvas.className === 'strip') squares.add(box.slice(0, 2).join()); square.apply(this, box); }, 0)");
    open("now");

    assertThat(browser.await("squares.size", "squares.size")).isEqualTo("12");
    assertThat(browser.await("true", "document.querySelector('.cards').innerText"))
        .contains(
            "9 / 12", "requests in 12 nodes and the program", "pending results of other nodes");
    browser.await("true", "(CanvasRenderingContext2D.prototype.roundRect = square, 0)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          now      | Node b4 was lost; give it a larger heap; In step(double) it waits for exchange(Halo) of a2/2; Busiest methods; step(double); signal 9; 1 more wait closes the circle
          panels   | heat; 20 of 1,000; was lost; The program could not fill this panel; no data
          nodes    | a1; joined; silent; host0; MiB; Cores; CPU time; After GC; 12.3 ms behind
          jobs     | delft · job 4241; PENDING: Priority, 3rd in queue; left of 15 min 00 s; 3 files
          traffic  | bytes per second; c2; tcp; 12 JVMs
          groups   | barrier(); g1; 7; Mostly last; g3; 880 KiB
          objects  | Solver; Schedule.Slot; Busiest methods; Service p99
          calls    | spans and; samples on; A diamond is a service; Choose a span
          futures  | step(double); 75 s; Monitor.report(Monitor.java:77); awaited; not yet; 4 more futures not listed; no answer from b2
          waits    | Deadlock; Suspected cycle of 2 objects; rank 7 of 16; Solver.step(Solver.java:57)
          failures | one-way call; lost node; IOException; Monitor.report(Monitor.java:77); refused class
          events   | left; signal 9 (killed); joined; cycle
          logs     | step 2998 of 10000; a3; error
          settings | troupe.observe; grid.xml:12:5; (hidden); command line
          actions  | Record this; Change level; Request nodes; Cancel the run
          about    | Last round took; novelty; of a newer program; Rows dropped by the program; 12.1 KiB
          """)
  void showsWhatMatters(String view, String texts) throws Exception {
    open(view);

    for (var each : texts.split(";")) {
      var wanted = "document.body.innerText.includes('" + each.strip() + "')";
      assertThat(browser.await(wanted, wanted)).isEqualTo("true");
    }
    browser.picture(PICTURES.resolve(view + ".png"));
  }

  @Test
  void saysWhyAnObjectWaitsDownToTheRoot() throws Exception {
    browser.await("true", "location.hash = '#/waits?object=' + encodeURIComponent('a1/2')");

    assertThat(
            browser.await(
                "document.querySelector('.view-waits .vertex')",
                "document.querySelector('.answer').textContent"))
        .startsWith("Solver a1/2 has waited ")
        .contains("for exchange(Halo) of a2/2, behind 2 more objects, which is held up by")
        .contains("Collector c1/3: it has served energy() for");
    assertThat(browser.await("true", "document.querySelectorAll('.vertex').length")).isEqualTo("4");
  }

  @Test
  void saysWhyAnObjectWaitsForTheRootItself() throws Exception {
    browser.await("true", "location.hash = '#/waits?object=' + encodeURIComponent('b1/4')");

    assertThat(
            browser.await(
                "document.querySelectorAll('.vertex').length === 2",
                "document.querySelector('.answer').textContent"))
        .startsWith("Partition b1/4 has waited 70 s for add(Frame) of c1/3, which is held up by");
  }

  @Test
  void recordsCallsOneByOne() throws Exception {
    browser.await("true", "location.hash = '#/calls?find=a1%2F77'");

    browser.await(
        "document.querySelector('.view-calls canvas')",
        "[...document.querySelectorAll('main button')].find(each => each.innerText === 'Record 5 s').click()");
    assertThat(
            browser.await(
                "document.body.innerText.includes('2 spans on 1 lane')",
                "document.querySelector('.view-calls').innerText"))
        .contains("2 calls and waits recorded, 3 overwritten before they were read.");
    browser.await("true", "document.querySelector('canvas.lanes').focus()");
    browser.press("ArrowDown");
    assertThat(
            browser.await(
                "document.querySelector('.chosen dl')",
                "document.querySelector('.chosen').innerText"))
        .contains("step(double)", "b1/4", "2 s", "2 ms", "an exception");
    assertThat(browser.await("true", "document.querySelector('.view-calls').innerText"))
        .contains("on 2 lanes");
    assertThat(pixelsOfAccent("canvas.lanes")).isGreaterThan(20);
    browser.picture(PICTURES.resolve("trace.png"));
  }

  @ParameterizedTest
  @CsvSource({"b1/2, main", "b1/3, Solver a1/2"})
  void drawsAnArrowFromTheCallerOfAService(String object, String caller) throws Exception {
    browser.await("true", "location.hash = '#/calls?find=" + object.replace("/", "%2F") + "'");
    browser.await(
        "document.querySelector('canvas.lanes') && document.querySelector('.view-calls').innerText.includes('on 1 lane')",
        "document.querySelector('canvas.lanes').focus()");
    assertThat(pixelsOfAccent("canvas.lanes")).isZero();

    browser.press("ArrowDown");

    assertThat(
            browser.await(
                "document.querySelector('.chosen dl')",
                "document.querySelector('.chosen').innerText"))
        .contains(object, caller);
    assertThat(browser.await("true", "document.querySelector('.view-calls').innerText"))
        .contains("on 2 lanes");
    assertThat(pixelsOfAccent("canvas.lanes")).isGreaterThan(20);
  }

  @Test
  void asksAnObjectWhatItDoes() throws Exception {
    browser.await("true", "location.hash = '#/waits?object=' + encodeURIComponent('a1/2')");

    browser.await(
        "document.querySelector('.view-waits .vertex')",
        "[...document.querySelectorAll('main button')].find(each => each.innerText === 'Ask this object').click()");
    assertThat(
            browser.await(
                "document.querySelector('.object .requests')",
                "document.querySelector('.object').innerText"))
        .contains("rank 3 of 16 in g1", "step(double) for main, 4.5 s", "exchange(Halo) for a2/2")
        .contains("a platform thread, as its requests compute for long", "a2, main");
    browser.picture(PICTURES.resolve("object.png"));
  }

  @Test
  void showsACycleInRed() throws Exception {
    browser.await("true", "location.hash = '#/waits?object=' + encodeURIComponent('c2/20')");

    assertThat(
            browser.await(
                "document.querySelectorAll('.vertex.bad').length === 2",
                "document.querySelector('.answer').textContent"))
        .contains("the chain runs in a circle of 2 objects");
  }

  @Test
  void showsTheWholeExitReportOfALostNode() throws Exception {
    browser.await("true", "location.hash = '#/events?find=signal'");

    browser.await(
        "document.querySelector('.view-events tr.row')",
        "document.querySelector('.view-events tr.row').click()");
    assertThat(
            browser.await(
                "document.querySelector('.detail pre')",
                "document.querySelector('.detail pre').textContent"))
        .contains("exceeded its memory of 2 GiB", "step 1201 of 10000");
    assertThat(browser.await("true", "location.hash")).contains("number=");
  }

  @Test
  void drawsThePicturesAndCurvesOfAPanelAndPressesItsButtons() throws Exception {
    open("panels");

    assertThat(
            browser.await(
                "document.querySelectorAll('canvas.picture').length === 4 && document.querySelector('.plot canvas')",
                "document.querySelector('.view-panels').innerText"))
        .contains("from -2 (blue) to 2 K (orange); step 20", "error (mV/m) by t (ns)")
        .contains("<b>a2</b>")
        .contains("plate now", "The page could not draw this panel")
        .contains("The program could not fill this panel");
    for (var picture : List.of("plate", "parts")) {
      assertThat(colours("canvas.picture[aria-label^=" + picture + "]"))
          .isEqualTo(picture.equals("plate") ? 3 : 2);
    }
    browser.picture(PICTURES.resolve("panel.png"));

    browser.await(
        "true",
        "[...document.querySelectorAll('main button')].find(each => each.innerText === 'stop').click()");
    while (!page.acts().contains("press heat stop")) {
      browser.await("true", "0"); // an exchange with the browser
    }
  }

  @Test
  void listsTheFuturesThatNodesOweToOthers() throws Exception {
    browser.await("true", "location.hash = '#/futures?tab=owed'");

    assertThat(
            browser.await(
                "document.querySelector('.view-futures tr.row')",
                "document.querySelector('.view-futures tr.row').innerText"))
        .contains("Solver.energy() on node 'a1'", "main", "c2");
  }

  @Test
  void groupsEqualStacks() throws Exception {
    open("stacks");

    browser.await("true", "document.querySelector('button.main').click()");
    assertThat(
            browser.await(
                "document.querySelector('.stack')",
                "document.querySelector('.stack summary').textContent"))
        .contains("3×", "acme.solver.Solver.exchange(Solver.java:57)");
    browser.picture(PICTURES.resolve("stacks.png"));
  }

  @Test
  void drawsAProfileAsAFlameGraph() throws Exception {
    open("profile");
    assertThat(browser.await("true", "document.querySelector('.view-profile').innerText"))
        .contains("No profile was taken yet");

    browser.await("true", "document.querySelector('button.main').click()");
    assertThat(
            browser.await(
                "document.querySelector('canvas.flame')",
                "document.querySelector('.view-profile .bar').innerText"))
        .contains("203 samples of 12 JVMs", "3 samples are left out", "none of b2: it did not");
    assertThat(colours("canvas.flame")).isGreaterThan(4);
    assertThat(browser.await("true", "document.querySelector('tr.row').innerText"))
        .contains("Kernel.apply", "55 %");

    browser.await("true", "document.querySelector('canvas.flame').focus()");
    for (var told :
        List.of(
            "all: 200 samples, 100 % of all.",
            "a1: 150 samples, 75 % of all.",
            "Solver: 150 samples, 75 % of all.",
            "Solver.step: 150 samples, 75 % of all.",
            "Kernel.apply: 90 samples, 45 % of all.")) {
      browser.press("ArrowDown");
      assertThat(browser.await("true", "document.querySelector('.answer').textContent"))
          .isEqualTo(told);
    }
    browser.press("ArrowRight");
    assertThat(browser.await("true", "document.querySelector('.answer').textContent"))
        .startsWith("Solver.exchange: 60 samples");
    browser.await(
        "true",
        "(all => { all.value = 'kernel'; all.dispatchEvent(new Event('input')); })(document.querySelector('.view-profile .find'))");
    assertThat(browser.await("true", "document.querySelector('.view-profile .bar').innerText"))
        .contains("55 % of the samples");
    browser.picture(PICTURES.resolve("profile.png"));

    open("map");
    browser.await("true", "location.hash = '#/profile?by=class'");
    browser.await(
        "document.querySelector('.view-profile canvas.flame')",
        "document.querySelector('canvas.flame').focus()");
    for (var told :
        List.of("all: 200 samples, 100 % of all.", "Solver: 170 samples, 85 % of all.")) {
      browser.press("ArrowDown");
      assertThat(browser.await("true", "document.querySelector('.answer').textContent"))
          .isEqualTo(told);
    }
  }

  @Test
  void drawsTheMapAndItsLegend() throws Exception {
    open("map");

    assertThat(
            browser.await(
                "document.querySelector('.legend li')",
                "document.querySelector('.legend').textContent"))
        .contains("waiting", "one square per object");
    assertThat(colours("canvas.map")).isGreaterThan(5);
    browser.picture(PICTURES.resolve("map.png"));
  }

  @Test
  void drawsTheLargestTrafficOnTheMapAsArcs() throws Exception {
    open("map");
    var said = "document.querySelector('.arcs').textContent";
    assertThat(browser.await(said, said))
        .isEqualTo(
            "Arcs: 33 pairs, width by bytes per second; the widest is a1 → c2 with 434 KiB/s.");
    browser.await(
        "true", "(window.withArcs = document.querySelector('canvas.map').toDataURL(), 0)");

    browser.await("true", "document.querySelector('canvas.map').focus()");
    browser.press("ArrowRight");
    assertThat(browser.await("true", said)).startsWith("Arcs: 6 pairs of b1, ");
    browser.press("Escape");
    assertThat(browser.await("true", said)).startsWith("Arcs: 33 pairs, ");
    assertThat(isDrawnAs("withArcs")).isTrue();

    browser.await(
        "true",
        "(all => { all.value = 'none'; all.dispatchEvent(new Event('change')); })(document.querySelectorAll('.view-map select')[1])");
    assertThat(browser.await("true", said)).isEmpty();
    assertThat(isDrawnAs("withArcs")).isFalse();
  }

  private static boolean isDrawnAs(String picture) throws Exception {
    return Boolean.parseBoolean(
        browser.await(
            "true", "document.querySelector('canvas.map').toDataURL() === window." + picture));
  }

  @Test
  void tellsWhichMemberOfAGroupIsMostlyTheLast() throws Exception {
    browser.await("true", "location.hash = '#/groups?find=g2'");

    browser.await(
        "document.querySelectorAll('.view-groups tr.row').length === 1",
        "document.querySelector('tr.row').click()");
    assertThat(
            browser.await(
                "document.querySelector('.lasts')", "document.querySelector('.lasts').innerText"))
        .contains("5 waits of members seen, 5 of them ended: allReduce 25 s.")
        .contains("rank 3", "20 s, last in 80 %", "rank 2", "5 s, last in 20 %");
    assertThat(browser.await("true", "document.querySelector('tr.row').innerText"))
        .contains("goes on", "rank 3 in 80 %");
    assertThat(
            browser.await(
                "true",
                "[...document.querySelectorAll('.transfers tbody tr')].map(each => each.innerText.replaceAll('\\t', ' | ')).join('; ')"))
        .isEqualTo(
            "broadcast | scatter-all-gather | 20 | 800 KiB | 40 KiB; allReduce | ring | 40 | 80 KiB | 2 KiB");
    browser.picture(PICTURES.resolve("group.png"));
  }

  @Test
  void namesTheObjectsOfTheMembersThatWait() throws Exception {
    browser.await("true", "location.hash = '#/groups?find=g1'");

    browser.await(
        "document.querySelectorAll('.view-groups tr.row').length === 1",
        "document.querySelector('tr.row').click()");
    assertThat(
            browser.await(
                "document.querySelector('.ranks')",
                "[...document.querySelectorAll('.ranks li')].map(each => each.title).slice(3, 8).join('; ')"))
        .startsWith("rank 3: arrived, c2/5 on c2; rank 4: arrived; ")
        .endsWith("; rank 7: missing");
  }

  @Test
  void opensTheChartsOfANode() throws Exception {
    browser.await("true", "location.hash = '#/nodes?find=a1'");

    browser.await(
        "document.querySelectorAll('.view-nodes tr.row').length === 1",
        "document.querySelector('tr.row').click()");
    browser.await("document.querySelectorAll('.chart canvas').length === 6", "0");
    assertThat(browser.await("true", "document.querySelector('.nodeDetail').innerText"))
        .contains("grid.xml:12:5", "12.3 ms behind", "Heap used");
    // The past from before the page was opened, 20 points as 10 averages, and 30 rounds.
    browser.await(
        "[...document.querySelectorAll('.chart')].every(each => each.dataset.points === '40')",
        "0");
    browser.picture(PICTURES.resolve("node.png"));
  }

  @Test
  void insertsTextsOfTheRunAsText() throws Exception {
    open("failures");

    assertThat(browser.await("true", "document.querySelectorAll('main img, main b').length"))
        .isEqualTo("0");
    assertThat(browser.await("true", "document.title")).doesNotContain("hacked");
    assertThat(browser.await("true", "document.body.innerText.includes('<img src=x')"))
        .isEqualTo("true");
    assertThat(browser.await("true", "document.body.innerText.includes('\\ufffdred')"))
        .isEqualTo("true");
    assertThat(browser.await("true", "/[\\u001b\\u202e]/.test(document.body.innerText)"))
        .isEqualTo("false");
    assertThat(
            browser.await(
                "true",
                "[...document.querySelectorAll('main [title]')].map(each => each.title).join()"))
        .contains("\ufffdred")
        .doesNotContain("\u202e", "\u001b");
    browser.await(
        "true",
        "(import('./dom.js').then(({ write }) => write({ fillText: text => window.written = text }, 'a\\u202e\\u001b[31mb', 0, 0)), 0)");
    assertThat(browser.await("window.written", "written")).isEqualTo("a\ufffdb");
  }

  @Test
  void keepsTheTokenOutOfTheAddress() throws Exception {
    assertThat(browser.await("true", "location.href"))
        .doesNotContain("token")
        .doesNotContain("act=");
  }

  @Test
  void worksWithKeysOnly() throws Exception {
    open("now");
    browser.await("true", "document.activeElement.blur()");
    browser.press("g");
    browser.press("o");
    browser.await("document.querySelector('.view-nodes tr.row')", "0");
    browser.press("/");
    browser.press("c");
    browser.press("3");
    assertThat(
            browser.await(
                "document.querySelectorAll('.view-nodes tr.row').length === 1",
                "document.querySelector('tr.row').dataset.key"))
        .isEqualTo("c3");
    browser.await("true", "document.querySelector('tr.row').focus()");
    browser.press("Enter");
    assertThat(
            browser.await(
                "document.querySelector('.nodeDetail')",
                "document.querySelector('tr.row').getAttribute('aria-expanded')"))
        .isEqualTo("true");
  }

  @Test
  void namesItsPartsForScreenReaders() throws Exception {
    open("nodes");

    assertThat(
            browser.await(
                "true",
                "['header', 'nav', 'main', 'h1', 'caption', 'th[scope=col]', 'th[scope=row]', '[aria-sort]', 'nav [aria-current=page]'].filter(each => !document.querySelector(each)).join()"))
        .isEmpty();
    assertThat(
            browser.await(
                "true",
                "[...document.querySelectorAll('button, a, input, select, canvas')].filter(each => !(each.innerText || each.ariaLabel || each.labels?.[0]?.innerText || each.ariaHidden || each.hidden || each.closest('[hidden]'))).length"))
        .isEqualTo("0");
  }

  @Test
  void isDarkForReadersWhoWantThat() throws Exception {
    open("now");
    var light = background();
    browser.look(1440, 900, true);
    try {
      assertThat(background()).isNotEqualTo(light);
      for (var view : List.of("now", "waits", "map", "traffic", "calls")) {
        open(view);
        browser.picture(PICTURES.resolve(view + "-dark.png"));
      }
    } finally {
      browser.look(1440, 900, false);
    }
  }

  @Test
  void asksForTheNameOfANodeBeforeItReleasesIt() throws Exception {
    browser.await("true", "location.hash = '#/nodes?find=b1'");
    browser.await(
        "document.querySelectorAll('.view-nodes tr.row').length === 1",
        "document.querySelector('tr.row').click()");
    browser.await(
        "document.querySelector('.nodeDetail .danger')",
        "document.querySelector('.nodeDetail .danger').click()");

    assertThat(
            browser.await(
                "document.querySelector('dialog[open]')",
                "document.querySelector('dialog .danger').disabled"))
        .isEqualTo("true");
    browser.press("b");
    browser.press("1");
    browser.await(
        "!document.querySelector('dialog .danger').disabled",
        "document.querySelector('dialog .danger').click()");
    assertThat(
            browser.await(
                "document.querySelector('dialog .buttons').textContent.startsWith('Close')",
                "document.querySelector('dialog .said').textContent"))
        .isEqualTo("yes");
    assertThat(page.acts()).contains("release b1");
    browser.await(
        "document.querySelector('dialog[open]')",
        "document.querySelector('dialog button').click()");
    browser.await("!document.querySelector('dialog[open]')", "0");
  }

  @Test
  void aHeapDumpIsNamedWithItsHost() throws Exception {
    browser.await("true", "location.hash = '#/nodes?find=a3'");
    browser.await(
        "document.querySelectorAll('.view-nodes tr.row').length === 1",
        "document.querySelector('tr.row').click()");
    browser.await(
        "document.querySelector('.nodeDetail')",
        "[...document.querySelectorAll('.nodeDetail button')].find(it => it.textContent === 'Dump heap').click()");
    browser.await("document.querySelector('dialog[open]')", "0");
    browser.press("a");
    browser.press("3");

    assertThat(
            browser.await(
                "!document.querySelector('dialog .danger').disabled",
                "document.querySelector('dialog').innerText"))
        .contains("with all data of the program", "Only its user can read the file");
    browser.await("true", "document.querySelector('dialog .danger').click()");

    assertThat(
            browser.await(
                "document.querySelector('dialog .buttons').textContent.startsWith('Close')",
                "document.querySelector('dialog .said').textContent"))
        .isEqualTo("the heap is in /home/me/a3-1.hprof on host1, 7 MiB");
    assertThat(page.acts()).contains("heap-dump a3");
    browser.await("true", "document.querySelector('dialog button').click()");
  }

  @Test
  void aLevelOnAllNodesNeedsTheNameOfTheRun() throws Exception {
    open("actions");
    browser.await(
        "document.querySelector('[aria-label=Logger]')",
        "(document.querySelector('[aria-label=Logger]').value = 'org.acme', [...document.querySelectorAll('.view-actions button')].find(it => it.textContent === 'Change level').click())");

    assertThat(
            browser.await(
                "document.querySelector('dialog[open]')",
                "document.querySelector('dialog').innerText"))
        .contains("org.acme logs from DEBUG on in the program and on all nodes");
    browser.await(
        "true",
        "(input => { input.value = new URLSearchParams(location.search).get('run') ?? document.querySelector('#run').textContent; input.dispatchEvent(new Event('input')); })(document.querySelector('dialog input'))");
    browser.await(
        "!document.querySelector('dialog .danger').disabled",
        "document.querySelector('dialog .danger').click()");
    browser.await(
        "document.querySelector('dialog .buttons').textContent.startsWith('Close')",
        "document.querySelector('dialog button').click()");
    assertThat(page.acts()).contains("log-level  org.acme DEBUG");
  }

  private static String background() throws Exception {
    return browser.await("true", "getComputedStyle(document.body).backgroundColor");
  }

  private static int pixelsOfAccent(String canvas) throws Exception {
    return Integer.parseInt(
        browser.await(
            "true",
            "(c => { const all = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let count = 0; for (let i = 0; i < all.length; i += 4) if (all[i] === 52 && all[i + 1] === 84 && all[i + 2] === 209) count++; return count; })(document.querySelector('"
                + canvas
                + "'))"));
  }

  private static int colours(String canvas) throws Exception {
    return Integer.parseInt(
        browser.await(
            "true",
            "(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)(document.querySelector('"
                + canvas
                + "'))"));
  }

  private static void open(String view) throws Exception {
    browser.await("true", "location.hash = '#/" + view + "'");
    browser.await("document.querySelector('.view-" + view + "')", "0");
  }
}
