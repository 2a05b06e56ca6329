package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;
import org.troupe.deployment.model.Distance;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.process.OutputTail;

/** Answers requests of other processes of this user about a grid. */
public final class GridController implements ControlServer.Answers {

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration VISIT = Duration.ofMillis(100); // of a node to its objects
  private static final long LOOK_MILLIS = 200; // the interval of checks whether the grid is ending
  private static final int MOST_NAMED = 20; // nodes in a message
  private static final int MOST_DESCRIBED = ObjectQuery.MOST; // objects, of all nodes together
  private static final int LEAST_OF_NODE = 20; // objects that a node may describe among many nodes
  private static final int CANCELLED = 130; // as after Ctrl-C

  private final ControlledGrid grid;
  private final GridMember host;
  private final List<NodeProcess> running;
  private final String transport;
  private final long since = System.nanoTime();

  public GridController(
      ControlledGrid grid, GridMember host, List<NodeProcess> running, String transport) {
    this.grid = grid;
    this.host = host;
    this.running = running;
    this.transport = transport;
  }

  @Override
  public GridStatus status(String id) {
    Map<String, CompletableFuture<NodeReport>> reports = new HashMap<>();
    host.nodes("").forEach(node -> reports.put(node.name(), host.report(node, VISIT)));
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    return new GridStatus(
        id,
        grid.run(),
        ProcessHandle.current().pid(),
        program(),
        (System.nanoTime() - since) / 1e9,
        transport,
        grid.drivers(),
        grid.status().stream().map(node -> line(node, reports, deadline)).toList(),
        grid.knownDistances().stream().map(GridController::line).toList());
  }

  private static String program() {
    return System.getProperty("sun.java.command", "")
        .replaceFirst("^org\\.troupe\\.cli\\.Main", "troupe");
  }

  private static GridStatus.DistanceLine line(Distance distance) {
    return new GridStatus.DistanceLine(
        distance.from(),
        distance.to(),
        distance.roundTrip().toNanos() / 1e9,
        distance.bytesPerSecond());
  }

  private GridStatus.NodeLine line(
      NodeStatus node, Map<String, CompletableFuture<NodeReport>> reports, long deadline) {
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

  private static @Nullable NodeReport report(
      @Nullable CompletableFuture<NodeReport> report, long deadline) {
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
        report.objects(),
        report.queued(),
        report.waiting());
  }

  private static <R> R awaited(CompletableFuture<R> answer, long deadline)
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
    for (var node : named(name)) {
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
  public GridObjects objects(String id, String name, String type, int most) {
    List<Node> asked = new ArrayList<>();
    if (name.isEmpty() || name.equals(host.self().name())) {
      asked.add(host.self());
    }
    if (asked.isEmpty() || name.isEmpty()) {
      var wanted = named(name).stream().map(NodeProcess::name).collect(Collectors.toSet());
      host.nodes("").list().stream()
          .filter(each -> wanted.contains(each.name()))
          .forEach(asked::add);
    }
    var ofEach =
        Math.min(most, Math.max(LEAST_OF_NODE, MOST_DESCRIBED / Math.max(1, asked.size())));
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

  private String stackOf(Node node, String title) {
    String stack;
    try {
      stack = awaited(host.stack(node), System.nanoTime() + PATIENCE.toNanos());
    } catch (ExecutionException | TimeoutException e) {
      stack = "gave no answer within " + PATIENCE.toSeconds() + " s\n";
    }
    return "== " + title + "\n" + stack;
  }

  private List<NodeProcess> named(String name) {
    var found =
        running.stream().filter(each -> name.isEmpty() || each.name().equals(name)).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no node '"
              + name
              + "'; there are "
              + running.stream()
                  .limit(MOST_NAMED)
                  .map(NodeProcess::name)
                  .collect(Collectors.joining(", "))
              + (running.size() > MOST_NAMED
                  ? " and "
                      + (running.size() - MOST_NAMED)
                      + " more; 'troupe status --all' lists them"
                  : ""));
    }
    return found;
  }

  @Override
  public void logs(String name, boolean follow, Writer out) throws IOException {
    var nodes = named(name);
    out.write(ControlServer.OK + "\n");
    var lines = new LinkedBlockingQueue<OutputLine>();
    var followers = new HashMap<OutputTail, Consumer<String>>();
    for (var node : nodes) {
      Consumer<String> follower = line -> lines.add(new OutputLine(node.name(), false, line));
      followers.put(node.printed(), follower);
      node.printed().follow(follower);
    }
    try {
      for (var line = lines.poll(); line != null || follow && !grid.isEnding(); ) {
        if (line != null) {
          out.write(line + "\n");
        } else {
          out.flush();
        }
        line =
            follow && lines.isEmpty()
                ? lines.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                : lines.poll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // only this class could interrupt the thread, and it does not
    } finally {
      followers.forEach(OutputTail::forget);
    }
  }

  @Override
  public void cancel() {
    System.exit(CANCELLED);
  }
}
