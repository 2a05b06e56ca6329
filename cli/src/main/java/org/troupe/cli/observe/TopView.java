package org.troupe.cli.observe;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.watch.GridActivity;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchRecord;

/** The state of a deployment as the records of its stream tell it, in lines of text. */
final class TopView {

  private static final long MEBI = 1 << 20;
  private static final int NODES = 8;
  private static final int ROWS = 8;
  private static final int FAILURES = 4;
  private static final ActivityTables TABLES = ActivityTables.ofSimpleNames();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private final Map<String, WatchRecord> rows = new LinkedHashMap<>();
  private final Map<String, Long> servedBefore = new HashMap<>(); // by the key of the row
  private final Map<String, Double> rates = new HashMap<>();
  private String program = "";
  private WatchRecord.@Nullable Round last;
  private WatchRecord.@Nullable Event event;
  private WatchRecord.@Nullable Cycle cycle;
  private long roundMillis; // when the round before ended
  private boolean hasRates; // a rate is the difference of two rounds

  /** Adds a record; returns whether it ends a round. */
  boolean add(WatchRecord added) {
    switch (added) {
      case WatchRecord.Begin begin -> program = begin.id() + ": " + begin.program();
      case WatchRecord.Round round -> {
        hasRates = last != null;
        var seconds = hasRates ? (round.timeMillis() - roundMillis) / 1e3 : 0;
        roundMillis = round.timeMillis();
        last = round;
        updateRates(seconds);
        return true;
      }
      case WatchRecord.Event its -> {
        var known = event;
        event = known == null || known.timeMillis() <= its.timeMillis() ? its : known;
      }
      case WatchRecord.Node _,
          WatchRecord.Method _,
          WatchRecord.Queues _,
          WatchRecord.Waits _,
          WatchRecord.Pair _,
          WatchRecord.Failure _ ->
          rows.put(added.key(), added);
      case WatchRecord.Collective its -> {
        if (its.operation().isEmpty()) {
          rows.remove(its.key());
        } else {
          rows.put(its.key(), its);
        }
      }
      case WatchRecord.Cycle its -> cycle = its;
      case WatchRecord.Class _,
          WatchRecord.Job _,
          WatchRecord.Operation _,
          WatchRecord.Panel _,
          WatchRecord.Vitals _ -> {} // the screen does not show them
    }
    return false;
  }

  private void updateRates(double seconds) {
    for (var row : rows.values()) {
      if (row instanceof WatchRecord.Method method) {
        rate(row.key(), method.served(), seconds);
      } else if (row instanceof WatchRecord.Node node && node.load() != null) {
        rate(row.key(), node.load().served(), seconds);
      }
    }
  }

  private void rate(String key, long served, double seconds) {
    var before = servedBefore.put(key, served);
    rates.put(key, before == null || seconds <= 0 ? 0 : Math.max(0, (served - before) / seconds));
  }

  private double rate(String key) {
    return rates.getOrDefault(key, 0.0);
  }

  private List<WatchRecord.Node> nodes() {
    return rows.values().stream()
        .filter(WatchRecord.Node.class::isInstance)
        .map(WatchRecord.Node.class::cast)
        .toList();
  }

  /** Returns a summary of the last round as one line. */
  String line() {
    var nodes = nodes();
    var activity = activity(nodes);
    var busiest = methods().stream().filter(each -> each.perSecond() > 0).findFirst();
    return ActivityTables.clean(
        "%s %s%s"
            .formatted(
                time(),
                summary(nodes, activity),
                busiest
                    .map(
                        each ->
                            "; busiest " + each.name() + " " + rateText(each.perSecond()) + "/s")
                    .orElse("")));
  }

  private String time() {
    var round = last;
    return round == null
        ? ""
        : TIME.format(Instant.ofEpochMilli(round.timeMillis()).atZone(ZoneId.systemDefault()));
  }

  private String summary(List<WatchRecord.Node> nodes, GridActivity activity) {
    var states = nodes.stream().filter(each -> !isProgram(each)).map(TopView::state).toList();
    var perSecond = nodes.stream().mapToDouble(each -> rate(each.key())).sum();
    var loads = nodes.stream().map(TopView::load).filter(Objects::nonNull).toList();
    var queued = loads.stream().mapToLong(WatchRecord.Load::queued).sum();
    var waiting = loads.stream().mapToLong(WatchRecord.Load::waiting).sum();
    var pending = loads.stream().mapToLong(WatchRecord.Load::pending).sum();
    var failures = activity.failures().stream().mapToLong(WatchRecord.Failure::count).sum();
    return "%s%s, %d queued, %d waiting, %d pending, %s"
        .formatted(
            NodeCounts.text(states),
            hasRates ? ", " + rateText(perSecond) + " requests/s" : "",
            queued,
            waiting,
            pending,
            CliCommand.count(failures, "failure"));
  }

  /** Returns the last load of a node; null before its first report and after its end. */
  private static WatchRecord.@Nullable Load load(WatchRecord.Node node) {
    return hasEnded(node) ? null : node.load();
  }

  private static boolean hasEnded(WatchRecord.Node node) {
    return node.state().equals("ended");
  }

  /** Returns the activity, without objects of nodes that have ended. */
  private GridActivity activity(List<WatchRecord.Node> nodes) {
    var ended =
        nodes.stream()
            .filter(TopView::hasEnded)
            .map(WatchRecord.Node::node)
            .collect(Collectors.toSet());
    return GridActivity.of(
        rows.values().stream()
            .filter(
                row ->
                    !(row instanceof WatchRecord.Queues queues && ended.contains(queues.node())
                        || row instanceof WatchRecord.Waits waits && ended.contains(waits.node())))
            .toList());
  }

  private static boolean isProgram(WatchRecord.Node node) {
    return node.element().isEmpty();
  }

  private static String state(WatchRecord.Node node) {
    return isProgram(node)
        ? "program"
        : NodeCounts.state(node.state(), node.detail(), node.isSilent());
  }

  /** A method of all nodes together. */
  private record MethodLine(WatchRecord.Method sum, double perSecond) {
    String name() {
      return ActivityTables.simple(sum.type()) + "." + sum.method();
    }
  }

  private List<MethodLine> methods() {
    Map<String, Double> perSecond = new HashMap<>();
    for (var row : rows.values()) {
      if (row instanceof WatchRecord.Method method) {
        perSecond.merge(method.type() + "\t" + method.method(), rate(row.key()), Double::sum);
      }
    }
    return GridActivity.of(rows.values()).methods().stream()
        .map(
            each ->
                new MethodLine(
                    each, perSecond.getOrDefault(each.type() + "\t" + each.method(), 0.0)))
        .sorted(
            Comparator.comparingDouble(MethodLine::perSecond)
                .thenComparingLong(each -> each.sum().served())
                .reversed())
        .toList();
  }

  /** Returns the lines of a screen, each within its width. */
  List<String> screen(int columns, int most) {
    var nodes = nodes();
    var activity = activity(nodes);
    List<String> lines = new ArrayList<>();
    lines.add(program);
    lines.add(time() + "  " + summary(nodes, activity));
    lines.add("");
    lines.addAll(nodeTable(nodes));
    lines.addAll(methodTable());
    if (!activity.queues().isEmpty()) {
      lines.addAll(section(TABLES.queues(first(activity.queues()))));
    }
    if (!activity.waits().isEmpty()) {
      lines.addAll(section(TABLES.waits(first(activity.waits()))));
    }
    if (!activity.collectives().isEmpty()) {
      lines.addAll(section(TABLES.groups(first(activity.collectives()))));
    }
    if (!activity.failures().isEmpty()) {
      lines.addAll(failureTable(activity));
    }
    var proved = cycle;
    if (proved != null) {
      lines.add("last cycle of waits, found on " + proved.node() + ":");
      proved.text().lines().skip(1).limit(ROWS).forEach(lines::add);
      lines.add("");
    }
    var its = event;
    if (its != null) {
      lines.add(
          "last event: "
              + its.node()
              + " "
              + its.event()
              + (its.text().isEmpty() ? "" : ": " + its.text()));
    }
    return lines.stream()
        .limit(Math.max(1, most - 1))
        .map(ActivityTables::clean)
        .map(each -> each.length() < columns ? each : each.substring(0, Math.max(0, columns - 1)))
        .toList();
  }

  private List<String> nodeTable(List<WatchRecord.Node> nodes) {
    var table =
        new TextTable(
            "NODE",
            "STATE",
            "REQUESTS/s",
            "OBJECTS",
            "QUEUED",
            "WAITING",
            "PENDING",
            "HEAP MiB",
            "CPU s",
            "OBSERVED");
    var shown =
        nodes.stream()
            .sorted(
                Comparator.comparingDouble((WatchRecord.Node each) -> rate(each.key()))
                    .reversed()
                    .thenComparing(WatchRecord.Node::node, NaturalOrder.OF_NAMES))
            .limit(NODES)
            .toList();
    for (var node : shown) {
      var load = load(node);
      table.row(
          node.node(),
          state(node),
          hasRates ? rateText(rate(node.key())) : "-",
          load == null ? "-" : load.objects(),
          load == null ? "-" : load.queued(),
          load == null ? "-" : load.waiting(),
          load == null ? "-" : load.pending(),
          load == null ? "-" : load.heapUsedBytes() / MEBI + "/" + load.heapMostBytes() / MEBI,
          load == null ? "-" : "%.1f".formatted(load.cpuSeconds()),
          load == null ? "-" : load.observed());
    }
    var lines = lines(table);
    if (nodes.size() > shown.size()) {
      lines.add(
          "... and %d more of %d JVMs; 'troupe status' lists the nodes"
              .formatted(nodes.size() - shown.size(), nodes.size()));
    }
    lines.add("");
    return lines;
  }

  private List<String> methodTable() {
    var table =
        new TextTable(
            "METHOD",
            "REQUESTS/s",
            "ACCEPTED",
            "SERVED",
            "FAILED",
            "QUEUE p50/p99",
            "SERVICE p50/p99");
    methods().stream()
        .limit(ROWS)
        .forEach(
            each ->
                table.row(
                    each.name(),
                    hasRates ? rateText(each.perSecond()) : "-",
                    each.sum().accepted(),
                    each.sum().served(),
                    each.sum().failed(),
                    ActivityTables.text(each.sum().waits()),
                    ActivityTables.text(each.sum().services())));
    return section(table);
  }

  private static List<String> failureTable(GridActivity activity) {
    var table = new TextTable("FAILURES", "KIND", "OF", "EXCEPTION", "AT");
    activity.failures().stream()
        .limit(FAILURES)
        .forEach(
            each ->
                table.row(
                    each.count(),
                    each.cause(),
                    each.call(),
                    ActivityTables.simple(each.exception()),
                    each.frame()));
    return section(table);
  }

  private static <R> List<R> first(List<R> rows) {
    return rows.subList(0, Math.min(rows.size(), ROWS));
  }

  /** Returns the lines of a table, with an empty one behind it. */
  private static List<String> section(TextTable table) {
    var lines = lines(table);
    lines.add("");
    return lines;
  }

  private static List<String> lines(TextTable table) {
    return new ArrayList<>(table.toString().lines().toList());
  }

  private static String rateText(double perSecond) {
    return perSecond >= 10 || perSecond == 0
        ? "%.0f".formatted(perSecond)
        : String.format(Locale.ROOT, "%.1f", perSecond);
  }
}
