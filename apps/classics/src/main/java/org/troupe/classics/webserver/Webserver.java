package org.troupe.classics.webserver;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.classics.ClassicProgram;
import org.troupe.classics.Median;
import org.troupe.classics.NumberChecksum;
import org.troupe.classics.ProgramNodes;
import org.troupe.classics.ResultCheck;
import org.troupe.classics.RunResult;
import org.troupe.classics.RunTiming;
import org.troupe.groups.Groups;
import org.troupe.groups.Scatter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A web server with distributed pages: a master on the first node answers browsers, and gets each
 * page from the page server that the hash of its address selects.
 *
 * <p>One of the programs that measured JavaParty's compiler, by the time of a page from a page
 * server to the master (R. Veldema and M. Philippsen, Compiler optimized remote method invocation,
 * IEEE Cluster 2003); here browsers measure it, too.
 */
@Command(name = "webserver", description = "Serves pages of other nodes to browsers (JavaParty).")
public final class Webserver extends ClassicProgram {

  private static final int LARGEST_PORT = 65535;

  private static final int MOST_PAGES = 10_000_000;
  private static final int MOST_BYTES = 100_000_000;
  private static final int MOST_BROWSERS = 10_000;
  private static final int MOST_REQUESTS = 100_000;

  @Option(names = "--pages", paramLabel = "N", description = "the number of pages")
  private Integer pages;

  @Option(names = "--bytes", paramLabel = "N", description = "the size of each page")
  private Integer bytes;

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "the number of pages that the master alone gets")
  private Integer calls;

  @Option(names = "--browsers", paramLabel = "N", description = "the number of concurrent browsers")
  private Integer browsers;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "the number of pages that each browser gets")
  private Integer requests;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "the HTTP port on the first node's machine (default: a free one)")
  private int port;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "the number of rounds; figures are medians (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  public static void main(String[] arguments) {
    main(new Webserver(), arguments);
  }

  @Override
  protected void prepare(int nodes, List<String> wrong) {
    pages = orPreset(pages, 20, 1000, 10_000);
    bytes = orPreset(bytes, 512, 2048, 2048);
    calls = orPreset(calls, 200, 20_000, 100_000);
    browsers = orPreset(browsers, 2, 8, 32);
    requests = orPreset(requests, 20, 250, 2000);
    requirePositive("--pages", pages, wrong);
    requirePositive("--calls", calls, wrong);
    requirePositive("--browsers", browsers, wrong);
    requirePositive("--requests", requests, wrong);
    requirePositive("--rounds", rounds, wrong);
    requireAtMost("--pages", pages, MOST_PAGES, "the master keeps all addresses", wrong);
    requireAtMost("--bytes", bytes, MOST_BYTES, "each call carries a page", wrong);
    requireAtMost("--browsers", browsers, MOST_BROWSERS, "each browser needs a port", wrong);
    requireAtMost("--requests", requests, MOST_REQUESTS, "a round would take hours", wrong);
    if (bytes < WebPage.LEAST_BYTES) {
      wrong.add("--bytes " + bytes + ": a page has at least " + WebPage.LEAST_BYTES + " bytes");
    }
    if (port < 0 || port > LARGEST_PORT) {
      wrong.add("--port %d: give 1 to %d, or 0 for any".formatted(port, LARGEST_PORT));
    }
  }

  /** Counts all pages, and their encoded copies. */
  @Override
  protected double launcherBytes() {
    return 2.0 * pages * bytes;
  }

  /** Counts all pages at the master, and those of a page server in encoded and decoded form. */
  @Override
  protected double nodeBytes(int nodes) {
    return 2.0 * pages * bytes;
  }

  @Override
  protected String problem() {
    return text(
        "%,d pages of %,d bytes, %,d calls, %d browsers with %,d requests",
        pages, bytes, calls, browsers, requests);
  }

  /** Creates page servers on all nodes but the master's, if there are others. */
  @Override
  protected RunResult run(ProgramNodes nodes) throws Exception {
    var all = WebPage.generate(pages, bytes);
    var list = nodes.nodes().list();
    var first = list.getFirst();
    var servers =
        Groups.on(list.size() == 1 ? list : list.subList(1, list.size()))
            .create(PageServer.class, Scatter.byKey(all, WebPage::key));
    var master = ActiveObjects.on(first).create(PageDirectory.class, servers, pages, bytes);
    try (AutoCloseable _ = master::close) {
      var front = master.open(port);
      var plain = master.openPlain();
      if (port != 0) {
        printProgress(
            "pages are at http://127.0.0.1:" + front + "/0.html and so on, until the run ends");
      }
      try (var load = new BrowserLoad(all, browsers)) {
        return measure(nodes, master, all, load, front, plain);
      } catch (ConnectException e) {
        throw new IllegalStateException(unreachable(first, front), e);
      }
    }
  }

  private static String unreachable(Node first, int front) {
    return "no server answers at 127.0.0.1:%d: browsers run on this machine, the master runs on host '%s'; put a node of this machine first in the descriptor"
        .formatted(front, first.host());
  }

  private RunResult measure(
      ProgramNodes nodes,
      PageDirectory master,
      List<WebPage> all,
      BrowserLoad load,
      int front,
      int plain)
      throws IOException, InterruptedException {
    var wrong = new int[1];
    List<RunTiming> fetched = new ArrayList<>();
    List<BrowserLoad.Measurement> measured = new ArrayList<>();
    List<BrowserLoad.Measurement> plainlyMeasured = new ArrayList<>();
    for (var end = warmUpEnd(); System.nanoTime() < end; ) {
      wrong[0] += master.fetch(calls);
      load.run(front, requests);
      load.run(plain, requests);
    }
    for (var round = 0; round < rounds; round++) {
      fetched.add(nodes.time(() -> wrong[0] += master.fetch(calls)));
      measured.add(load.run(front, requests));
      plainlyMeasured.add(load.run(plain, requests));
    }
    var timed = Median.ofTimes(fetched);
    var expected = new NumberChecksum();
    all.forEach(page -> expected.add(page.body()));
    var found = load.checksum(front).toString();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rounds", fetched.stream().map(RunTiming::seconds).toList());
    figures.put("microsecondsPerPage", timed.seconds() * 1e6 / calls);
    figures.put("pagesPerSecond", pagesPerSecond(measured));
    figures.put("plainPagesPerSecond", pagesPerSecond(plainlyMeasured));
    return new RunResult(
        timed,
        null,
        found,
        List.of(
            ResultCheck.equal("wrong pages at the master", 0, wrong[0]),
            ResultCheck.equal("wrong pages at browsers", 0, wrong(measured)),
            ResultCheck.equal("wrong pages of the plain server", 0, wrong(plainlyMeasured)),
            ResultCheck.equal("all pages at a browser", expected.toString(), found)),
        figures);
  }

  private static double pagesPerSecond(List<BrowserLoad.Measurement> measured) {
    return Median.of(measured.stream().map(BrowserLoad.Measurement::pagesPerSecond).toList());
  }

  private static int wrong(List<BrowserLoad.Measurement> measured) {
    return measured.stream().mapToInt(BrowserLoad.Measurement::wrong).sum();
  }
}
