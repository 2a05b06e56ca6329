package org.troupe.cli.observe;

import java.io.PrintWriter;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.GridStatus.DistanceLine;
import org.troupe.deployment.runs.GridStatus.NodeLine;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.watch.GridActivity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code status}: shows the running deployments of this machine. */
@Command(
    name = "status",
    description = {
      "Shows the nodes of running deployments, and what they do.",
      "%nShows their hosts and state, the busiest methods, the longest queues and "
          + "waits, and failures. SINCE AT MOST is an upper bound: a service or wait may "
          + "have begun later."
    })
public final class StatusCommand extends CliCommand {

  private static final long MEBI = 1 << 20;
  private static final int ROWS = 20; // of the nodes' activity, without --all

  private static final ActivityTables TABLES = ActivityTables.ofFullNames();

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument deployments;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Override
  public Integer call() {
    PrintWriter out = out();
    var answers = deployments.answers(RunningGrid::status);
    if (format.isJson()) {
      out.println(RunningGrid.toJson(answers.given()));
    } else {
      answers.given().forEach(each -> print(each, limit, out));
    }
    return answers.report(err());
  }

  /** Prints the status of a deployment for users. */
  public static void print(GridStatus grid, ListLimit limit, PrintWriter out) {
    out.printf(
        "%s: %s, up %.0f s, transport %s %s%n",
        grid.id(), grid.program(), grid.upSeconds(), grid.transport(), grid.drivers());
    out.println(NodeCounts.text(grid.nodes().stream().map(StatusCommand::state).toList()));
    TextTable table =
        new TextTable(
            "NODE",
            "HOST",
            "CLUSTER",
            "STATE",
            "PID",
            "CPU s",
            "HEAP MiB",
            "RSS MiB",
            "OBJECTS",
            "QUEUED",
            "WAITING",
            "PENDING",
            "VIRTUAL NODES");
    for (NodeLine node : limit.shown(grid.nodes())) {
      var load = node.load();
      table.row(
          node.name(),
          node.host(),
          node.cluster().isEmpty() ? "-" : node.cluster(),
          state(node),
          node.pid() == 0 ? "-" : node.pid(),
          load == null ? "-" : "%.1f".formatted(load.cpuSeconds()),
          load == null ? "-" : load.heapUsedBytes() / MEBI + "/" + load.heapMostBytes() / MEBI,
          load == null ? "-" : load.residentBytes() / MEBI,
          load == null ? "-" : load.activeObjects(),
          load == null ? "-" : load.queued(),
          load == null ? "-" : load.waiting(),
          load == null ? "-" : load.pending(),
          String.join(", ", node.virtualNodes()));
    }
    out.println(table);
    limit.printRest(grid.nodes(), "nodes", out);
    for (DistanceLine each : limit.shown(grid.distances())) {
      out.printf(
          "cluster %s to %s: %.3g ms there and back, %.3g MB/s%n",
          each.from(), each.to(), each.roundTripSeconds() * 1e3, each.bytesPerSecond() / 1e6);
    }
    limit.printRest(grid.distances(), "distances", out);
    printActivity(grid.activity(), limit, out);
    var explained = grid.nodes().stream().filter(node -> !node.detail().isEmpty()).toList();
    for (NodeLine node : limit.shown(explained)) {
      out.println(node.name() + ": " + node.detail());
    }
    limit.printRest(explained, "explanations", out);
  }

  private static void printActivity(GridActivity activity, ListLimit limit, PrintWriter out) {
    var methods =
        new TextTable("METHOD", "ACCEPTED", "SERVED", "FAILED", "QUEUE p50/p99", "SERVICE p50/p99");
    for (var each : limit.shown(activity.methods(), ROWS)) {
      methods.row(
          ActivityTables.clean(each.type() + "." + each.method()),
          each.accepted(),
          each.served(),
          each.failed(),
          ActivityTables.text(each.waits()),
          ActivityTables.text(each.services()));
    }
    print(methods, activity.methods(), "methods", limit, out);
    var queues = TABLES.queues(limit.shown(activity.queues(), ROWS));
    print(queues, activity.queues(), "objects with requests", limit, out);
    var waits = TABLES.waits(limit.shown(activity.waits(), ROWS));
    print(waits, activity.waits(), "waits", limit, out);
    var groups = TABLES.groups(limit.shown(activity.collectives(), ROWS));
    print(groups, activity.collectives(), "groups that wait", limit, out);
    var failures = new TextTable("FAILURES", "KIND", "OF", "EXCEPTION", "AT", "LAST");
    for (var each : limit.shown(activity.failures(), ROWS)) {
      failures.row(
          each.count(),
          each.cause(),
          ActivityTables.clean(each.call()),
          ActivityTables.clean(each.exception()),
          ActivityTables.clean(each.frame()),
          ActivityTables.clean(each.example()));
    }
    print(failures, activity.failures(), "groups of failures", limit, out);
    if (activity.unvisited() > 0) {
      out.printf(
          "not looked at: %s; a later status continues there%n",
          count(activity.unvisited(), "object"));
    }
  }

  private static void print(
      TextTable table, List<?> rows, String what, ListLimit limit, PrintWriter out) {
    if (!rows.isEmpty()) {
      out.println();
      out.println(table);
      limit.printRest(rows, ROWS, what, out);
    }
  }

  private static String state(NodeLine node) {
    return NodeCounts.state(node.state(), node.detail(), node.load() == null);
  }
}
