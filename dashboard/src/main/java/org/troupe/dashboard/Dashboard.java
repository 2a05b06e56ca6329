package org.troupe.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.runs.InternalFaultException;
import org.troupe.deployment.runs.MissingResultException;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunAction;
import org.troupe.deployment.runs.SilentProgramException;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;
import org.troupe.pages.PageFile;
import org.troupe.pages.PageOptions;
import org.troupe.pages.PageRequest;
import org.troupe.pages.PageServer;
import org.troupe.pages.PageSite;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page that shows the runs of this user on this machine, and its server. Thread-safe.
 *
 * <p>It only asks: programs answer over their control sockets as they answer the verbs of {@code
 * ./troupe}, and send rounds of changes. So neither a page nor a browser can delay a run.
 */
public final class Dashboard implements AutoCloseable {

  private static final String FOLDER = "page/";
  private static final int LONGEST_INTERVAL = 10;
  private static final int MOST_SECONDS = (int) Duration.ofDays(1).toSeconds();
  private static final int TRACE_SECONDS = 60; // the most costly tier ends by itself
  private static final int TRACE_OF_PAGE_SECONDS = 5;
  private static final int PROFILE_SECONDS = 10;
  private static final int LOG_LEVEL_SECONDS = 600;

  private static final Pattern TOKEN = Pattern.compile("#token=([^&]+)");
  private static final JsonMapper JSON = new JsonMapper();

  private final WatchCost cost = new WatchCost();
  private final Semaphore profiles = new Semaphore(1);
  private final LastTrace lastTrace = new LastTrace();
  private final RunCatalog catalog;
  private final PageServer server;
  private @Nullable TokenFile tokenFile; // set before it is shared

  /** Asks a run. */
  private interface Asking<T> {
    T ask() throws IOException;
  }

  /** Asks a run for lines. */
  private interface Streaming {
    void stream(PageAnswer.LineSink sink) throws IOException;
  }

  /** An answer to a request about a run. */
  private interface Answer {
    PageAnswer to(ShownRun run, PageRequest request) throws IOException;
  }

  private Dashboard(PageOptions options, List<Path> files, boolean hasMetrics) throws IOException {
    catalog = new RunCatalog(files, cost);
    var site = site();
    server = PageServer.open(options, hasMetrics ? site.looking("metrics", metrics()) : site);
  }

  private Function<PageRequest, PageAnswer> metrics() {
    var counted = new CountedRows();
    return of((run, _) -> MetricsAnswer.of(run, counted));
  }

  private PageSite site() {
    return PageSite.of(pageFiles())
        .looking("api/runs", _ -> json(catalog.entries()))
        .looking("api/about", _ -> json(about()))
        .looking("api/watch", of(Dashboard::watch))
        .looking("api/status", of((run, _) -> PageAnswer.json(run.status())))
        .looking("api/stacks", of(Dashboard::stacks))
        .looking("api/logs", of(Dashboard::logs))
        .looking("api/jobs", of((run, _) -> PageAnswer.json(run.jobs())))
        .looking("api/profile", of(this::profile))
        .looking("api/object", of(Dashboard::object))
        .looking("api/futures", of(Dashboard::futures))
        .looking("api/pair", of(Dashboard::pair))
        .looking("api/trace", of(this::trace))
        .looking("api/trace.pftrace", request -> lastTrace.file(request.text("began")))
        .looking("api/settings", of((run, _) -> PageAnswer.json(run.settings())))
        .acting("api/cancel", acting(_ -> new RunAction.Cancel()))
        .acting("api/observe", acting(Dashboard::observe))
        .acting("api/release", acting(request -> new RunAction.Release(node(request))))
        .acting("api/press", acting(Dashboard::press))
        .acting("api/request", acting(Dashboard::request))
        .acting("api/collect", acting(request -> new RunAction.CollectGarbage(node(request))))
        .acting("api/log-level", acting(Dashboard::logLevel))
        .acting("api/heap-dump", acting(request -> new RunAction.DumpHeap(node(request))));
  }

  /**
   * Opens the page.
   *
   * @param files reports of runs to show, too
   * @throws IllegalStateException if the port is in use
   * @throws IllegalArgumentException if a file is no report
   * @throws IOException if a file cannot be read
   */
  public static Dashboard open(PageOptions options, List<Path> files) throws IOException {
    return new Dashboard(options, files, false);
  }

  /**
   * Opens the page, which answers requests for metrics, too.
   *
   * @param files reports of runs to show, too
   * @param tokenFile gets the token for looking at runs, and is removed at the end
   * @throws IllegalStateException if the port is in use
   * @throws IllegalArgumentException if a file is no report, or the token cannot be written
   * @throws IOException if a file cannot be read
   */
  public static Dashboard openWithMetrics(PageOptions options, List<Path> files, Path tokenFile)
      throws IOException {
    var dashboard = new Dashboard(options, files, true);
    try {
      dashboard.tokenFile = TokenFile.write(tokenFile, dashboard.lookToken());
      return dashboard;
    } catch (IllegalArgumentException e) {
      dashboard.close();
      throw e;
    }
  }

  private String lookToken() {
    var matcher = TOKEN.matcher(address());
    if (!matcher.find()) {
      throw new AssertionError("an address without a token");
    }
    return matcher.group(1);
  }

  private static Function<String, @Nullable PageFile> pageFiles() {
    return PageFile.ofResources(Dashboard::resource);
  }

  /** Opens a file of the page; returns {@code null} if there is none of that path. */
  static @Nullable InputStream resource(String path) {
    return Dashboard.class.getResourceAsStream(FOLDER + path);
  }

  private WatchCost.About about() {
    return cost.about(server.requests(), server.sentBytes());
  }

  /** Returns the function of requests about a run, which turns failures into answers. */
  private Function<PageRequest, PageAnswer> of(Answer answer) {
    return request -> {
      var run = catalog.run(request.text("run"));
      return explained(run, () -> answer.to(run, request));
    };
  }

  /** Makes an answer, and turns failures into answers. */
  private static <T> T explained(ShownRun run, Asking<T> asking) {
    try {
      return asking.ask();
    } catch (RefusedRequestException e) {
      throw new PageException(
          PageException.MISSING, String.valueOf(e.getMessage()), "correct the request");
    } catch (InternalFaultException e) {
      throw new PageException(
          PageException.UNREACHABLE, String.valueOf(e.getMessage()), "the program goes on");
    } catch (MissingResultException e) {
      throw new PageException(
          PageException.UNREACHABLE, String.valueOf(e.getMessage()), "see its events");
    } catch (SilentProgramException e) { // it may go on
      throw new PageException(
          PageException.UNREACHABLE, String.valueOf(e.getMessage()), "the page asks again");
    } catch (IOException e) {
      throw ended(run, e);
    } catch (JacksonException e) { // the program has ended while it answered
      throw ended(run, new IOException("its answer is cut off", e));
    }
  }

  /** Returns an answer whose lines a run writes. */
  private static PageAnswer lines(ShownRun run, Streaming streaming) {
    return PageAnswer.lines(
        sink ->
            explained(
                run,
                () -> {
                  streaming.stream(sink);
                  return true;
                }));
  }

  private static PageException ended(ShownRun run, IOException e) {
    return new PageException(
        PageException.GONE,
        "the program of run '%s' does not answer any more: %s"
            .formatted(run.entry().id(), e.getMessage()),
        "it has probably ended; 'troupe ps' shows what it has left");
  }

  private static PageAnswer watch(ShownRun run, PageRequest request) {
    var interval = request.number("interval", 1, 1, LONGEST_INTERVAL);
    var rows = word(request, "rows");
    var cursor = word(request, "cursor");
    var isPoll = request.has("poll");
    return lines(run, sink -> run.watch(interval, rows, cursor, isPoll, sink));
  }

  private static PageAnswer stacks(ShownRun run, PageRequest request) throws IOException {
    return json(Map.of("text", run.stacks(word(request, "node"))));
  }

  private static PageAnswer logs(ShownRun run, PageRequest request) {
    var node = word(request, "node");
    return lines(run, sink -> run.logs(node, request.has("follow"), sink));
  }

  private PageAnswer trace(ShownRun run, PageRequest request) {
    var seconds = request.number("seconds", TRACE_OF_PAGE_SECONDS, 1, TRACE_SECONDS);
    return lines(run, sink -> lastTrace.record(run, seconds, sink));
  }

  private PageAnswer profile(ShownRun run, PageRequest request) {
    var seconds = request.number("seconds", PROFILE_SECONDS, 1, TRACE_SECONDS);
    return lines(
        run,
        sink -> {
          if (!profiles.tryAcquire()) {
            throw new PageException(
                PageException.CONFLICT, "another profile is being taken", "wait for its end");
          }
          try {
            run.profile(seconds, sink);
          } finally {
            profiles.release();
          }
        });
  }

  private static PageAnswer object(ShownRun run, PageRequest request) throws IOException {
    var number = request.number("number", 0, 0, Integer.MAX_VALUE);
    return PageAnswer.json(run.object(word(request, "node"), number));
  }

  private static PageAnswer futures(ShownRun run, PageRequest request) throws IOException {
    return PageAnswer.json(run.futures(word(request, "node")));
  }

  private static PageAnswer pair(ShownRun run, PageRequest request) throws IOException {
    return PageAnswer.json(run.pair(word(request, "node"), word(request, "peer")));
  }

  /** Returns the function of requests for an action, which turns failures into answers. */
  private Function<PageRequest, PageAnswer> acting(Function<PageRequest, RunAction> action) {
    return of(
        (run, request) -> {
          try {
            return json(run.act(action.apply(request)));
          } catch (RefusedRequestException e) {
            throw new PageException(
                PageException.CONFLICT, String.valueOf(e.getMessage()), "nothing was done");
          }
        });
  }

  private static RunAction observe(PageRequest request) {
    var tier = word(request, "tier");
    var absent = tier.equals("trace") ? TRACE_SECONDS : 0;
    return new RunAction.Observe(tier, request.number("seconds", absent, 0, MOST_SECONDS));
  }

  private static RunAction press(PageRequest request) {
    return new RunAction.Press(word(request, "panel"), word(request, "button"));
  }

  private static RunAction request(PageRequest request) {
    return new RunAction.Request(
        word(request, "virtualNode"), request.number("nodes", 1, 1, RunAction.Request.MOST_NODES));
  }

  private static RunAction logLevel(PageRequest request) {
    return new RunAction.SetLogLevel(
        word(request, "node"),
        word(request, "logger"),
        word(request, "level"),
        request.number("seconds", LOG_LEVEL_SECONDS, 1, MOST_SECONDS));
  }

  private static String node(PageRequest request) {
    var node = word(request, "node");
    if (node.isEmpty()) {
      throw new PageException(PageException.WRONG, "no node is named", "add 'node='");
    }
    return node;
  }

  /** Returns a parameter that becomes a word of a request to the control socket. */
  private static String word(PageRequest request, String name) {
    var word = request.text(name);
    if (word.chars().anyMatch(Character::isISOControl) || word.length() > 200) {
      throw new PageException(
          PageException.WRONG,
          "the parameter '%s' has a control character, or more than 200 characters".formatted(name),
          "correct it");
    }
    return word;
  }

  private static PageAnswer json(Object value) {
    return PageAnswer.json(JSON.writeValueAsString(value));
  }

  /** Returns the address for the user, with the tokens. */
  public String address() {
    return server.address();
  }

  /** Returns the address at which the page begins with a run. */
  public String address(String run) {
    return address() + "&run=" + URLEncoder.encode(run, StandardCharsets.UTF_8);
  }

  /** Returns the address at which the page begins with the first recording. */
  public String addressOfRecording() {
    return catalog.recorded().map(run -> address(run.entry().id())).orElseGet(this::address);
  }

  @Override
  public void close() {
    server.close();
    if (tokenFile != null) {
      tokenFile.close();
    }
  }
}
