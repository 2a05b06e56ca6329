package org.troupe.dashboard;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.dashboard.CountedRows.MethodName;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchRecord.Begin;
import org.troupe.deployment.watch.WatchRecord.Cycle;
import org.troupe.deployment.watch.WatchRecord.Failure;
import org.troupe.deployment.watch.WatchRecord.Job;
import org.troupe.deployment.watch.WatchRecord.Load;
import org.troupe.deployment.watch.WatchRecord.Method;
import org.troupe.deployment.watch.WatchRecord.Node;
import org.troupe.deployment.watch.WatchRecord.Pair;
import org.troupe.deployment.watch.WatchRecord.Queue;
import org.troupe.deployment.watch.WatchRecord.Queues;
import org.troupe.deployment.watch.WatchRecord.Round;
import org.troupe.deployment.watch.WatchRecord.Times;
import org.troupe.deployment.watch.WatchRecord.Wait;
import org.troupe.deployment.watch.WatchRecord.Waits;

/** The metrics of a whole grid for Prometheus, from one round of its records. */
final class GridMetrics {

  /*
   * Design: bounded labels
   *
   * One scrape shows the whole grid, so that a monitoring system has one target however many nodes there are. A label has few values:
   * the names of nodes (MOST_NODES), the methods that were called most at first (MOST_METHODS; the others are summed up), clusters, drivers. No
   * label names an object, a rank or a call, and the methods are those of the grid rather than those of each node.
   *
   * Quantiles of several nodes cannot be combined exactly. The median is the mean of the nodes' medians by their samples; the
   * others are the largest of the nodes, since high quantiles are read to find the slowest requests.
   */
  static final int MOST_NODES = 1_000;

  static final int MOST_METHODS = 200;
  private static final Set<String> FLAGS = Set.of("--dashboard", "--report-html", "--verbose");
  private static final Set<String> WITH_VALUE =
      Set.of("--class-path", "--grid", "--jvms", "--main", "--model", "--on", "--ranks");
  private static final MethodName OTHER = new MethodName("_OTHER", "_OTHER");
  private static final String SECONDS = "seconds";
  private static final String BYTES = "bytes";

  private final List<Begin> begins = new ArrayList<>();
  private final List<Round> rounds = new ArrayList<>();
  private final Map<String, WatchRecord> rows = new LinkedHashMap<>();
  private final Set<MethodName> named;
  private final List<Pair> former; // by drivers that are not used any more
  private final List<Node> living; // in the order of their names
  private final MetricsText text;

  private GridMetrics(CountedRows.Counted counted) {
    named = counted.methods();
    former = counted.former();
    for (var each : counted.records()) {
      switch (each) {
        case Begin begin -> begins.add(begin);
        case Round round -> rounds.add(round);
        default -> rows.put(each.key(), each);
      }
    }
    living = living();
    text = new MetricsText("run", begins.isEmpty() ? "" : begins.getLast().run());
  }

  /** Returns the metrics of the records of a whole round, as a text in OpenMetrics' format. */
  static String of(CountedRows.Counted counted) {
    return new GridMetrics(counted).written();
  }

  private <R extends WatchRecord> List<R> all(Class<R> kind) {
    return rows.values().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * Returns the name of the program of a command line. Its arguments may be secrets, which a
   * database of metrics would keep and show.
   */
  private static String name(String command) {
    var words = List.of(command.strip().split(" +"));
    if (!words.getFirst().equals("troupe") || words.size() == 1) {
      return withoutFolder(words.getFirst());
    }
    return String.join(" ", words.subList(0, 2)) + (words.get(1).equals("run") ? ran(words) : "");
  }

  /**
   * Returns the class, jar or application that {@code troupe run} has started; nothing if there is
   * none, or an option is not known: the word behind it may be its value, or the application.
   */
  private static String ran(List<String> words) {
    var classPath = "";
    for (var i = 2; i < words.size(); i++) {
      var option = words.get(i).split("=", 2);
      if (!option[0].startsWith("-")) {
        return classPath.isEmpty() ? " " + option[0] : jar(classPath);
      }
      if (FLAGS.contains(option[0])) {
        continue;
      }
      if (!WITH_VALUE.contains(option[0])) {
        return "";
      }
      var value = option.length == 2 ? option[1] : i + 1 < words.size() ? words.get(++i) : "";
      if (option[0].equals("--main")) {
        return " " + value;
      }
      classPath = option[0].equals("--class-path") ? value : classPath;
    }
    return jar(classPath);
  }

  /** Returns the first jar of a class path, whose manifest names the class. */
  private static String jar(String classPath) {
    return Stream.of(classPath.split(":"))
        .filter(each -> each.endsWith(".jar"))
        .findFirst()
        .map(each -> " " + withoutFolder(each))
        .orElse("");
  }

  private static String withoutFolder(String name) {
    return name.substring(name.lastIndexOf('/') + 1); // or without its module
  }

  private String written() {
    if (!begins.isEmpty()) {
      text.info("troupe_run", "The run").add(1, "program", name(begins.getLast().program()));
    }
    if (!rounds.isEmpty()) {
      ofWatching(rounds.getLast());
    }
    ofNodes();
    ofMethods();
    ofObjects();
    ofLinks();
    ofFailures();
    ofJobs();
    return text.toString();
  }

  private void ofWatching(Round round) {
    text.gauge("troupe_watch_nodes", "", "Nodes that were asked for this answer")
        .add(round.nodes());
    text.gauge("troupe_watch_silent_nodes", "", "Nodes that did not answer in time")
        .add(round.silent());
    text.gauge("troupe_watch_seconds", SECONDS, "Time that asking the nodes has taken")
        .add(round.tookSeconds());
    text.gauge("troupe_watch_rows", "", "Rows that the program keeps for clients")
        .add(round.rows());
    text.counter("troupe_watch_dropped_rows", "", "Rows that the program has dropped")
        .add(round.dropped());
  }

  // Nodes

  private void ofNodes() {
    var byState = text.gauge("troupe_nodes", "", "Nodes by their state");
    all(Node.class).stream()
        .collect(groupingBy(node -> List.of(node.state(), node.cluster())))
        .forEach(
            (key, nodes) -> byState.add(nodes.size(), "state", key.get(0), "cluster", key.get(1)));
    var silent = text.gauge("troupe_node_silent", "", "Whether a node does not answer");
    for (var node : living) {
      silent.add(node.isSilent() ? 1 : 0, labels(node));
    }
    gauge("troupe_heap_used_bytes", BYTES, "Heap in use", Load::heapUsedBytes);
    gauge("troupe_heap_limit_bytes", BYTES, "Largest heap", Load::heapMostBytes);
    gauge("troupe_resident_bytes", BYTES, "Memory of the process", Load::residentBytes);
    gauge("troupe_threads", "", "Platform threads", Load::threads);
    counter("troupe_cpu_seconds", SECONDS, "Processor time", Load::cpuSeconds);
    counter("troupe_collection_seconds", SECONDS, "Garbage collections", Load::collectionSeconds);
    gauge("troupe_up_seconds", SECONDS, "Time since the start", Load::upSeconds);
    gauge("troupe_objects", "", "Active objects that other nodes know", Load::objects);
    gauge("troupe_unvisited_objects", "", "Objects not looked at this time", Load::unvisited);
    gauge("troupe_queue_requests", "", "Requests in the queues looked at", Load::queued);
    gauge("troupe_waiting_objects", "", "Objects that wait without a limit", Load::waiting);
    gauge("troupe_pending_results", "", "Results of other nodes awaited", Load::pending);
    counter("troupe_served", "", "Requests whose service has ended", Load::served);
    counter("troupe_failed", "", "Requests that ended with an exception", Load::failed);
    gauge("troupe_report_rows_left_out", "", "Rows that did not fit the report", Load::leftOut);
    gauge(
        "troupe_clock_offset_seconds",
        SECONDS,
        "By how much the clock of intervals is ahead of the program's",
        Load::clockOffsetSeconds);
    gauge(
        "troupe_clock_error_seconds",
        SECONDS,
        "The largest error of the clock's offset",
        Load::clockErrorSeconds);
  }

  private List<Node> living() {
    return all(Node.class).stream()
        .filter(node -> node.load() != null)
        .filter(node -> !node.state().equals("ended"))
        .sorted(Comparator.comparing(Node::node, NaturalOrder.OF_NAMES))
        .limit(MOST_NODES)
        .toList();
  }

  private static String[] labels(Node node) {
    return new String[] {"node", node.node(), "cluster", node.cluster()};
  }

  private void gauge(String name, String unit, String help, ToDoubleFunction<Load> value) {
    add(text.gauge(name, unit, help), value);
  }

  private void counter(String name, String unit, String help, ToDoubleFunction<Load> value) {
    add(text.counter(name, unit, help), value);
  }

  private void add(MetricsText.Family family, ToDoubleFunction<Load> value) {
    for (var node : living) {
      var load = node.load();
      if (load != null) {
        family.add(value.applyAsDouble(load), labels(node));
      }
    }
  }

  // Methods

  /** The rows of one method on all nodes, or of several methods. */
  private record MethodRows(String type, String method, List<Method> rows) {

    long sum(ToLongFunction<Method> count) {
      return rows.stream().mapToLong(count).sum();
    }
  }

  private List<MethodRows> methods() {
    return all(Method.class).stream().collect(groupingBy(this::nameOf)).entrySet().stream()
        .map(each -> new MethodRows(each.getKey().type(), each.getKey().method(), each.getValue()))
        .sorted(
            Comparator.<MethodRows>comparingLong(each -> -each.sum(Method::served))
                .thenComparing(MethodRows::type)
                .thenComparing(MethodRows::method))
        .toList();
  }

  private MethodName nameOf(Method row) {
    var name = MethodName.of(row);
    return named.contains(name) ? name : OTHER;
  }

  private void ofMethods() {
    var methods = methods();
    var accepted = text.counter("troupe_calls_accepted", "", "Requests that were accepted");
    var calls = text.counter("troupe_calls", "", "Requests whose service has ended");
    var failures =
        text.counter("troupe_call_failures", "", "Requests that ended with an exception");
    for (var each : methods) {
      String[] labels = {"class", each.type(), "method", each.method()};
      accepted.add(each.sum(Method::accepted), labels);
      calls.add(each.sum(Method::served), labels);
      failures.add(each.sum(Method::failed), labels);
    }
    var waits =
        text.summary(
            "troupe_queue_seconds", SECONDS, "Time in the queue; with tier times or trace");
    methods.forEach(each -> times(waits, each, each.rows().stream().map(Method::waits).toList()));
    var services =
        text.summary("troupe_service_seconds", SECONDS, "Service; with tier times or trace");
    methods.forEach(
        each -> times(services, each, each.rows().stream().map(Method::services).toList()));
  }

  private static void times(
      MetricsText.Family family, MethodRows method, List<@Nullable Times> ofNodes) {
    List<Times> measured = new ArrayList<>();
    for (var each : ofNodes) {
      if (each != null && each.samples() > 0) {
        measured.add(each);
      }
    }
    if (measured.isEmpty()) {
      return;
    }
    var samples = measured.stream().mapToLong(Times::samples).sum();
    var medians = measured.stream().mapToDouble(each -> each.median() * each.samples()).sum();
    quantile(family, method, "0.5", medians / samples);
    quantile(family, method, "0.99", most(measured, Times::p99));
    quantile(family, method, "1", most(measured, Times::most));
    family.count(samples, "class", method.type(), "method", method.method());
  }

  private static double most(List<Times> times, ToDoubleFunction<Times> value) {
    return times.stream().mapToDouble(value).max().orElse(0);
  }

  private static void quantile(
      MetricsText.Family family, MethodRows method, String quantile, double value) {
    family.add(value, "class", method.type(), "method", method.method(), "quantile", quantile);
  }

  // Objects, links, failures

  private void ofObjects() {
    var names = living.stream().map(Node::node).toList();
    var queue = text.gauge("troupe_longest_queue_requests", "", "The longest queue of a node");
    var service = text.gauge("troupe_longest_service_seconds", SECONDS, "The longest service now");
    for (var each : all(Queues.class)) {
      if (names.contains(each.node())) {
        queue.add(
            each.queues().stream().mapToInt(Queue::queued).max().orElse(0), "node", each.node());
        service.add(
            each.queues().stream()
                .mapToDouble(Queue::servingSeconds)
                .filter(s -> s >= 0)
                .max()
                .orElse(0),
            "node",
            each.node());
      }
    }
    var wait = text.gauge("troupe_longest_wait_seconds", SECONDS, "The longest wait now");
    for (var each : all(Waits.class)) {
      if (names.contains(each.node())) {
        wait.add(
            each.waits().stream()
                .mapToDouble(Wait::waitingSeconds)
                .filter(s -> s >= 0)
                .max()
                .orElse(0),
            "node",
            each.node());
      }
    }
  }

  private void ofLinks() {
    Map<String, String> clusters = new LinkedHashMap<>();
    all(Node.class).forEach(node -> clusters.put(node.node(), node.cluster()));
    Map<List<String>, List<Pair>> links = new TreeMap<>(Comparator.comparing(List::toString));
    Stream.concat(former.stream(), all(Pair.class).stream())
        .forEach(
            pair -> {
              var key =
                  List.of(
                      clusters.getOrDefault(pair.node(), ""),
                      clusters.getOrDefault(pair.peer(), ""),
                      pair.driver());
              links.computeIfAbsent(key, _ -> new ArrayList<>()).add(pair);
            });
    var bytes = text.counter("troupe_link_bytes", BYTES, "Bytes sent between clusters");
    var messages = text.counter("troupe_link_messages", "", "Messages sent between clusters");
    var resets = text.counter("troupe_link_resets", "", "Connections that broke");
    var trips = text.gauge("troupe_link_round_trip_seconds", SECONDS, "The longest round trip");
    links.forEach(
        (key, pairs) -> {
          String[] labels = {"from", key.get(0), "to", key.get(1), "driver", key.get(2)};
          bytes.add(pairs.stream().mapToLong(Pair::bytes).sum(), labels);
          messages.add(pairs.stream().mapToLong(Pair::messages).sum(), labels);
          resets.add(pairs.stream().mapToLong(Pair::resets).sum(), labels);
          pairs.stream()
              .mapToDouble(Pair::roundTripSeconds)
              .filter(s -> s > 0)
              .max()
              .ifPresent(s -> trips.add(s, labels));
        });
  }

  private void ofFailures() {
    var failures = text.counter("troupe_failures", "", "Failures that no caller observed");
    all(Failure.class).stream()
        .collect(groupingBy(Failure::cause, TreeMap::new, toList()))
        .forEach(
            (cause, all) ->
                failures.add(all.stream().mapToLong(Failure::count).sum(), "cause", cause));
  }

  private void ofJobs() {
    text.gauge("troupe_wait_cycles", "", "Proved cycles of waits that the program keeps")
        .add(all(Cycle.class).size());
    var states = text.gauge("troupe_job_state", "", "The state of the JVMs that start together");
    var joined = text.gauge("troupe_job_joined", "", "JVMs of a job that are members");
    for (var job : all(Job.class)) {
      var first = Integer.toString(job.first());
      String[] labels = {"element", job.element(), "first", first, "system", job.system()};
      joined.add(job.joined(), labels);
      states.add(
          1,
          Stream.concat(Stream.of(labels), Stream.of("state", job.state())).toArray(String[]::new));
    }
  }
}
