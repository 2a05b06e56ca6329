package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.FutureReport;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.ObjectDetail;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.deployment.journal.ProgramCommand;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.process.HiddenValues;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.watch.ActivityCollector;
import org.troupe.deployment.watch.ActivityRows;
import org.troupe.deployment.watch.CollectiveRows;
import org.troupe.deployment.watch.EventLog;
import org.troupe.deployment.watch.FlightRing;
import org.troupe.deployment.watch.GridActivity;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchScope;
import org.troupe.deployment.watch.WatchedGrid;

/** Answers requests of other processes of this user about a grid. */
public final class GridController implements ControlServer.Answers, WatchedGrid {

  static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration WATCH_VISIT = Duration.ofMillis(2); // once per second
  private static final Duration VISIT = Duration.ofMillis(100); // of a node to its objects
  private static final int MOST_DESCRIBED = ObjectQuery.MOST; // by all nodes together
  private static final int LEAST_OF_NODE = 20; // by a node among many
  private static final int MOST_STACKS = 16; // nodes whose stacks a snapshot has

  private final ControlledGrid grid;
  private final GridMember host;
  private final List<NodeProcess> running;
  private final String transport;
  private final Map<String, List<String>> jvmOptions; // by elements
  private final long since = System.nanoTime();
  private final long startedMillis = System.currentTimeMillis();
  private final EventLog events = new EventLog();
  private final FlightRing past = new FlightRing();
  private final ActivityCollector collector = new ActivityCollector(this, past);
  private final Map<String, String> jobStates = new HashMap<>(); // of the collecting thread
  private final GridTracer tracer;
  private final GridFlightRecorder recorder;
  private final ObservedTier tier;
  private final NamedNodes named;
  private final RunActions actions;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final OutputFollowers followers;

  public GridController(
      ControlledGrid grid, GridMember host, List<NodeProcess> running, String transport) {
    this.grid = grid;
    this.host = host;
    this.running = running;
    this.transport = transport;
    this.jvmOptions = grid.jvmOptions();
    this.named = new NamedNodes(host, running);
    this.tier = new ObservedTier(host);
    this.followers = new OutputFollowers(grid, named, host.self().name());
    this.actions = new RunActions(grid, host, named, tier, events);
    this.tracer = new GridTracer(host, this, tier, ending);
    this.recorder = new GridFlightRecorder(host, this, ending);
    if (ObservationTier.ofProperty() != ObservationTier.OFF) {
      host.onVitals(
          (node, nanos, vitals) -> past.add(node, System.currentTimeMillis(), nanos, vitals));
    }
    var nodes = host.nodes("");
    nodes.onJoin(this::joined);
    nodes.onLeaving((node, reason) -> events.add("leaving", node.name(), reason));
    nodes.onLeave((node, reason) -> events.add("left", node.name(), whole(node.name(), reason)));
    grid.onEnding(this::gridEnds);
  }

  /** Wakes the threads of all clients. */
  private void gridEnds() {
    collector.gridEnds();
    ending.countDown();
    followers.gridEnds();
  }

  /** Returns the reason of an end, with all that is known of the end of the process. */
  private String whole(String name, String reason) {
    var certificate =
        running.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .map(NodeProcess::certificate)
            .orElse("");
    return certificate.isEmpty() || reason.contains(certificate)
        ? reason
        : reason + "\n" + certificate;
  }

  /**
   * Waits a moment until the clients that follow the output of the nodes, which have ended, have it
   * all.
   */
  public void awaitFollowers() {
    followers.awaitEnd();
  }

  /** Ends timers that would outlast the grid, which is being closed. */
  public void close() {
    tier.close();
  }

  private void joined(Node node) {
    events.add("joined", node.name(), "");
    tier.joined(node);
    running.stream().filter(each -> each.name().equals(node.name())).forEach(followers::joined);
  }

  @Override
  public GridStatus status(String id) {
    Map<String, AwaitedReport> reports = new HashMap<>();
    host.nodes("").forEach(node -> reports.put(node.name(), host.report(node, VISIT)));
    reports.put(host.self().name(), host.report(host.self(), VISIT));
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var nodes = inOrder(grid.status()).map(node -> line(node, reports, deadline)).toList();
    return new GridStatus(
        id,
        grid.run(),
        ProcessHandle.current().pid(),
        program(),
        (System.nanoTime() - since) / 1e9,
        transport,
        grid.drivers(),
        nodes,
        grid.knownDistances().stream().map(GridController::line).toList(),
        activity(reports, deadline));
  }

  /** Returns nodes in the order of their names. */
  private static Stream<NodeStatus> inOrder(List<NodeStatus> all) {
    return all.stream()
        .sorted(Comparator.comparing(each -> each.plan().name(), NaturalOrder.OF_NAMES));
  }

  private static GridActivity activity(Map<String, AwaitedReport> reports, long deadline) {
    List<WatchRecord> rows = new ArrayList<>();
    var leftOut = 0L;
    var unvisited = 0L;
    for (var each : reports.entrySet()) {
      var report = report(each.getValue(), deadline);
      if (report != null) {
        rows.addAll(ActivityRows.of(each.getKey(), report.activity()));
        leftOut += report.activity().leftOut();
        unvisited += report.activity().unvisited();
      }
    }
    rows.addAll(new CollectiveRows().of(rows));
    return GridActivity.of(rows).with(leftOut, unvisited);
  }

  private static String program() {
    return HiddenValues.line(ProgramCommand.line());
  }

  private static GridStatus.DistanceLine line(Distance distance) {
    return new GridStatus.DistanceLine(
        distance.from(),
        distance.to(),
        distance.roundTrip().toNanos() / 1e9,
        distance.bytesPerSecond());
  }

  private GridStatus.NodeLine line(
      NodeStatus node, Map<String, AwaitedReport> reports, long deadline) {
    var plan = node.plan();
    var report = report(reports.get(plan.name()), deadline);
    return new GridStatus.NodeLine(
        plan.name(),
        plan.place().toString(),
        node.host(),
        host.member(plan.name()).map(Node::cluster).orElse(""),
        plan.virtualNodes(),
        node.state().name().toLowerCase(Locale.ROOT),
        detail(node.detail(), report),
        node.pid().orElse(0),
        report == null ? null : load(report));
  }

  /** Returns the detail of the start or end of a node; otherwise the trouble that it reports. */
  static String detail(String detail, @Nullable NodeReport report) {
    return detail.isEmpty() && report != null ? report.trouble() : detail;
  }

  private static @Nullable NodeReport report(@Nullable AwaitedReport report, long deadline) {
    try {
      return report == null ? null : awaited(report, deadline);
    } catch (ExecutionException | TimeoutException e) {
      return null; // the node is lost, or too busy to answer
    }
  }

  private static GridStatus.Load load(NodeReport report) {
    return new GridStatus.Load(
        report.heapUsedBytes(),
        report.heapMostBytes(),
        report.residentBytes(),
        report.threads(),
        report.cpuNanos() / 1e9,
        report.collectionNanos() / 1e9,
        report.objects(),
        report.queued(),
        report.waiting(),
        report.pending(),
        report.activity().tier().toString(),
        report.activity().served(),
        report.activity().failed());
  }

  /** Waits for a report until a deadline. */
  static NodeReport awaited(AwaitedReport report, long deadline)
      throws ExecutionException, TimeoutException {
    try {
      return report.get(Math.max(0, deadline - System.nanoTime()));
    } catch (InterruptedException e) {
      throw new CompletionException(
          e); // only this class could interrupt the thread, and it does not
    }
  }

  static <R> R awaited(CompletableFuture<R> answer, long deadline)
      throws ExecutionException, TimeoutException {
    try {
      return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new CompletionException(
          e); // only this class could interrupt the thread, and it does not
    }
  }

  @Override
  public String stack(String name) {
    var text = new StringBuilder();
    if (name.isEmpty()) {
      text.append(stackOf(host.self(), "this program"));
    }
    for (var node : named.processes(name)) {
      var member =
          host.nodes("").list().stream().filter(each -> each.name().equals(node.name())).findAny();
      text.append(
          member
              .map(each -> stackOf(each, "node '" + each.name() + "' on " + each.host()))
              .orElse("== node '" + node.name() + "' is not there now\n"));
    }
    return text.toString();
  }

  @Override
  public GridFutures futures(String name) {
    var asked = named.members(name);
    var ofEach = ofEach(GridFutures.MOST, asked.size());
    Map<Node, CompletableFuture<FutureReport>> reports = new LinkedHashMap<>();
    asked.forEach(each -> reports.put(each, host.futures(each, ofEach)));
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var futures = new GridFutures.Collector();
    reports.forEach(
        (node, report) -> {
          try {
            futures.add(node.name(), awaited(report, deadline));
          } catch (ExecutionException | TimeoutException e) {
            futures.addSilent(node.name());
          }
        });
    return futures.collected();
  }

  /** Returns how many objects or futures to ask a node for, so that the answers are bounded. */
  static int ofEach(int most, int nodes) {
    return Math.min(most, Math.max(LEAST_OF_NODE, MOST_DESCRIBED / Math.max(1, nodes)));
  }

  @Override
  public GridObjects objects(String id, String name, String type, int most) {
    var asked = named.members(name);
    var ofEach = ofEach(most, asked.size());
    Map<Node, CompletableFuture<ObjectReport>> reports = new LinkedHashMap<>();
    asked.forEach(each -> reports.put(each, host.objects(each, new ObjectQuery(type, ofEach))));
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var collector = new ObjectCollector();
    reports.forEach(
        (node, report) -> {
          try {
            collector.add(node.name(), awaited(report, deadline));
          } catch (ExecutionException | TimeoutException e) {
            collector.addSilent(node.name());
          }
        });
    return collector.collected(id, program(), most);
  }

  @Override
  public GridObject object(String birth, long number) {
    List<Node> asked = new ArrayList<>(host.nodes("").list());
    asked.addFirst(host.self());
    asked.sort(Comparator.comparing(each -> !each.name().equals(birth))); // it is likely there
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    Map<Node, CompletableFuture<Optional<ObjectDetail>>> answers = new LinkedHashMap<>();
    for (var each : asked) {
      answers.put(each, host.object(each, birth, number));
      if (each.name().equals(birth)) {
        var found = found(each, answers.remove(each), deadline);
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    return answers.entrySet().stream()
        .map(each -> found(each.getKey(), each.getValue(), deadline))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedRequestException(
                    "no node has an object %s/%d now: it has ended, or was never there; 'troupe objects' lists some"
                        .formatted(birth, number)));
  }

  @Override
  public GridPair pair(String name, String peer) {
    if (peer.isEmpty()) {
      throw new RefusedRequestException("a pair has two nodes; name both");
    }
    var node = named.member(name);
    named.check(peer);
    var pair = "the messages from '%s' to '%s'".formatted(name, peer);
    try {
      return awaited(host.pair(node, peer), System.nanoTime() + PATIENCE.toNanos())
          .map(GridPair::of)
          .orElseThrow(
              () -> new RefusedRequestException(pair + " are not known: there is no link now"));
    } catch (ExecutionException | TimeoutException e) {
      throw new RefusedRequestException(
          "%s are not known: '%s' has not answered within %d s; try again"
              .formatted(pair, name, PATIENCE.toSeconds()),
          e);
    }
  }

  private static Optional<GridObject> found(
      Node node, @Nullable CompletableFuture<Optional<ObjectDetail>> answer, long deadline) {
    try {
      return answer == null
          ? Optional.empty()
          : awaited(answer, deadline).map(each -> GridObject.of(node.name(), each));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty(); // it is lost, or too busy to answer
    }
  }

  private String stackOf(Node node, String title) {
    String stack;
    try {
      stack = awaited(host.stack(node), System.nanoTime() + PATIENCE.toNanos());
    } catch (ExecutionException | TimeoutException e) {
      stack = "gave no answer within " + PATIENCE.toSeconds() + " s\n";
    }
    return "== " + title + "\n" + stack;
  }

  @Override
  public void logs(String name, boolean follow, Writer out) throws IOException {
    followers.write(
        name, follow, out, (node, line) -> new OutputLine(node, false, line.text()).toString());
  }

  @Override
  public void lines(String name, boolean follow, Writer out) throws IOException {
    followers.write(
        name,
        follow,
        out,
        (node, line) -> ControlJson.MAPPER.writeValueAsString(LogLine.of(node, line)));
  }

  // Watching

  @Override
  public List<AskedNode> nodes() {
    Map<String, Node> members =
        host.nodes("").list().stream().collect(Collectors.toMap(Node::name, each -> each));
    List<AskedNode> all = new ArrayList<>();
    all.add(asked(program(host.self()), host.self()));
    inOrder(grid.status())
        .forEach(each -> all.add(asked(row(each), members.get(each.plan().name()))));
    return all;
  }

  private AskedNode asked(WatchRecord.Node row, @Nullable Node node) {
    return new AskedNode(row, node == null ? null : new Member(node));
  }

  /** A member of the grid. */
  private final class Member implements Asking {
    private final Node node;

    Member(Node node) {
      this.node = node;
    }

    @Override
    public AwaitedReport ask() {
      return host.report(node, WATCH_VISIT);
    }

    @Override
    public CompletableFuture<List<NodeEvent>> events(long behind) {
      return host.events(node, behind);
    }
  }

  /** Returns the row of the program itself. */
  private static WatchRecord.Node program(Node self) {
    return new WatchRecord.Node(
        self.name(),
        "",
        self.host(),
        "",
        List.of(),
        NodeStatus.State.JOINED.name().toLowerCase(Locale.ROOT),
        "",
        ProcessHandle.current().pid(),
        false,
        null);
  }

  private WatchRecord.Node row(NodeStatus node) {
    var plan = node.plan();
    return new WatchRecord.Node(
        plan.name(),
        plan.place().toString(),
        node.host(),
        host.member(plan.name()).map(Node::cluster).orElse(""),
        plan.virtualNodes(),
        node.state().name().toLowerCase(Locale.ROOT),
        node.detail(),
        node.pid().orElse(0),
        false,
        null);
  }

  @Override
  public List<WatchRecord.Event> events(long from) {
    return events.from(from);
  }

  @Override
  public void happened(String node, NodeEvent event) {
    events.add(event.millis(), event.kind().toString(), node, event.text());
  }

  @Override
  public List<WatchRecord.Job> jobs() {
    var all = JobRows.of(grid.jobs(), grid.status(), jvmOptions);
    for (var each : all) {
      var before = jobStates.put(each.key(), each.state());
      if (before != null && !before.equals(each.state())) {
        var job = each.job().isEmpty() ? "" : ", job " + each.job() + " of " + each.system();
        events.add(
            "job",
            "",
            "'%s'%s: %s (before: %s); %s"
                .formatted(each.id(), job, each.state(), before, each.reason()));
      }
    }
    return all;
  }

  @Override
  public List<WatchRecord.Panel> panels() {
    return grid.panels().rows();
  }

  @Override
  public boolean isEnding() {
    return grid.isEnding();
  }

  @Override
  public void watch(String id, Duration interval, Set<WatchScope> scopes, String cursor, Writer out)
      throws IOException {
    try (var client = collector.watch(interval, scopes, cursor)) {
      out.write(ControlServer.OK + "\n");
      write(List.of(begin(id, client)), out);
      for (var rows = client.next(); !rows.isEmpty(); rows = client.next()) {
        write(rows, out);
      }
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // only this class could interrupt the thread, and it does not
    }
  }

  private WatchRecord.Begin begin(String id, ActivityCollector.Client client) {
    return new WatchRecord.Begin(
        WatchRecord.VERSION, id, grid.run(), program(), client.intervalSeconds(), client.isWhole());
  }

  @Override
  public RunSnapshot snapshot(String id, boolean withStacks) {
    var stacks = withStacks && running.size() <= MOST_STACKS ? stack("") : "";
    try (var client = collector.watch(Duration.ZERO, EnumSet.allOf(WatchScope.class), "")) {
      var rows = client.next();
      if (rows.isEmpty()) {
        throw new RefusedRequestException("the deployment is ending");
      }
      var output =
          running.stream()
              .collect(Collectors.toMap(NodeProcess::name, NodeProcess::printed, (a, _) -> a));
      return new RunSnapshot(
          begin(id, client), startedMillis, rows, grid.settings(), output, stacks);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the nodes were asked", e);
    }
  }

  private static void write(List<? extends WatchRecord> rows, Writer out) throws IOException {
    for (var row : rows) {
      out.write(WatchCodec.line(row));
      out.write('\n');
    }
    out.flush();
  }

  @Override
  public void trace(String id, Duration within, long most, Writer out) throws IOException {
    tracer.record(id, grid.run(), program(), within, most, out);
  }

  @Override
  public void flight(String id, Duration within, String settings, long mostBytes, Writer out)
      throws IOException {
    recorder.record(id, grid.run(), program(), within, settings, mostBytes, out);
  }

  @Override
  public GridIdentity identity(String id) {
    return new GridIdentity(
        id, grid.run(), ProcessHandle.current().pid(), program(), startedMillis);
  }

  @Override
  public GridSettings settings() {
    return grid.settings();
  }

  @Override
  public void act(RunAction action, Writer out) throws IOException {
    actions.act(action, out);
  }
}
