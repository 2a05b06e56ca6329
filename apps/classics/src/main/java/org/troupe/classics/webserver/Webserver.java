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
 * A web server whose pages are spread over the nodes: a master on the first one answers browsers,
 * and asks the page server that has the page by the hash of its address.
 *
 * <p>One of the programs by which JavaParty's compiler was judged, by the time for a page from a
 * page server to the master (R. Veldema and M. Philippsen, Compiler optimized remote method
 * invocation, IEEE Cluster 2003); here browsers see it too.
 */
@Command(name = "webserver", description = "Serves browsers with pages of other nodes (JavaParty).")
public final class Webserver extends ClassicProgram {

  private static final int LARGEST_PORT = 65535;

  private static final int MOST_PAGES = 10_000_000;
  private static final int MOST_BYTES = 100_000_000;
  private static final int MOST_BROWSERS = 10_000;
  private static final int MOST_REQUESTS = 100_000;

  @Option(names = "--pages", paramLabel = "N", description = "how many there are")
  private Integer pages;

  @Option(names = "--bytes", paramLabel = "N", description = "how long each page is")
  private Integer bytes;

  @Option(names = "--calls", paramLabel = "N", description = "how many pages the master gets alone")
  private Integer calls;

  @Option(names = "--browsers", paramLabel = "N", description = "the number of concurrent browsers")
  private Integer browsers;

  @Option(names = "--requests", paramLabel = "N", description = "how many pages each of them gets")
  private Integer requests;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "the port of the front on the first node's machine (default: a free one)")
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
    pages = or(pages, 20, 1000, 10_000);
    bytes = or(bytes, 512, 2048, 2048);
    calls = or(calls, 200, 20_000, 100_000);
    browsers = or(browsers, 2, 8, 32);
    requests = or(requests, 20, 250, 2000);
    requirePositive("--pages", pages, wrong);
    requirePositive("--calls", calls, wrong);
    requirePositive("--browsers", browsers, wrong);
    requirePositive("--requests", requests, wrong);
    requirePositive("--rounds", rounds, wrong);
    requireAtMost("--pages", pages, MOST_PAGES, "the master has all addresses", wrong);
    requireAtMost("--bytes", bytes, MOST_BYTES, "each call carries a page", wrong);
    requireAtMost("--browsers", browsers, MOST_BROWSERS, "each needs a port of its own", wrong);
    requireAtMost("--requests", requests, MOST_REQUESTS, "a round would take hours", wrong);
    if (bytes < WebPage.LEAST_BYTES) {
      wrong.add("--bytes " + bytes + ": a page has at least " + WebPage.LEAST_BYTES + " bytes");
    }
    if (port < 0 || port > LARGEST_PORT) {
      wrong.add("--port %d: give 1 to %d, or 0 for any".formatted(port, LARGEST_PORT));
    }
  }

  /** All pages, and what travels of them. */
  @Override
  protected double bytesHere() {
    return 2.0 * pages * bytes;
  }

  /** The master has all pages, and a page server those that it was sent. */
  @Override
  protected double bytesOnNode(int nodes) {
    return 2.0 * pages * bytes;
  }

  @Override
  protected String problem() {
    return words(
        "%,d pages of %,d bytes, %,d calls, %d browsers with %,d requests",
        pages, bytes, calls, browsers, requests);
  }

  /** The page servers are on all nodes but the master's, if there are others. */
  @Override
  protected RunResult run(ProgramNodes crew) throws Exception {
    var all = WebPage.some(pages, bytes);
    var nodes = crew.nodes().list();
    var first = nodes.getFirst();
    var servers =
        Groups.on(nodes.size() == 1 ? nodes : nodes.subList(1, nodes.size()))
            .create(PageServer.class, Scatter.byKey(all, WebPage::key));
    var master = ActiveObjects.on(first).create(PageDirectory.class, servers, pages, bytes);
    try (AutoCloseable _ = master::close) {
      var front = master.open(port);
      var plain = master.openPlain();
      if (port != 0) {
        tell("pages are at http://127.0.0.1:" + front + "/0.html and so on, until the run ends");
      }
      try (var load = new BrowserLoad(all, browsers)) {
        return measure(crew, master, all, load, front, plain);
      } catch (ConnectException e) {
        throw new IllegalStateException(unreachable(first, front), e);
      }
    }
  }

  private static String unreachable(Node first, int front) {
    return "nobody answers at 127.0.0.1:%d: browsers run here, but the master on host '%s'; let the descriptor begin with a node on this machine"
        .formatted(front, first.host());
  }

  private RunResult measure(
      ProgramNodes crew,
      PageDirectory master,
      List<WebPage> all,
      BrowserLoad load,
      int front,
      int plain)
      throws IOException, InterruptedException {
    var wrong = new int[1];
    List<RunTiming> fetched = new ArrayList<>();
    List<BrowserLoad.Seen> seen = new ArrayList<>();
    List<BrowserLoad.Seen> plainlySeen = new ArrayList<>();
    for (var end = warmUpEnd(); System.nanoTime() < end; ) {
      wrong[0] += master.fetch(calls);
      load.run(front, requests);
      load.run(plain, requests);
    }
    for (var round = 0; round < rounds; round++) {
      fetched.add(crew.time(() -> wrong[0] += master.fetch(calls)));
      seen.add(load.run(front, requests));
      plainlySeen.add(load.run(plain, requests));
    }
    var timed = Median.ofTimes(fetched);
    var expected = new NumberChecksum();
    all.forEach(page -> expected.add(page.body()));
    var found = load.checksum(front).toString();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rounds", fetched.stream().map(RunTiming::seconds).toList());
    figures.put("microsecondsPerPage", timed.seconds() * 1e6 / calls);
    figures.put("pagesPerSecond", pagesPerSecond(seen));
    figures.put("plainPagesPerSecond", pagesPerSecond(plainlySeen));
    return new RunResult(
        timed,
        null,
        found,
        List.of(
            ResultCheck.equal("wrong pages at the master", 0, wrong[0]),
            ResultCheck.equal("wrong pages at browsers", 0, wrong(seen)),
            ResultCheck.equal("wrong pages of the plain server", 0, wrong(plainlySeen)),
            ResultCheck.equal("all pages at a browser", expected.toString(), found)),
        figures);
  }

  private static double pagesPerSecond(List<BrowserLoad.Seen> seen) {
    return Median.of(seen.stream().map(BrowserLoad.Seen::pagesPerSecond).toList());
  }

  private static int wrong(List<BrowserLoad.Seen> seen) {
    return seen.stream().mapToInt(BrowserLoad.Seen::wrong).sum();
  }
}
