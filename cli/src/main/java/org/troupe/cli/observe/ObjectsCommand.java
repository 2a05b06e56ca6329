package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.runs.GridObject;
import org.troupe.deployment.runs.GridObjects;
import org.troupe.deployment.runs.GridObjects.ClassTotal;
import org.troupe.deployment.runs.GridObjects.NodeTotal;
import org.troupe.deployment.runs.GridObjects.ObjectLine;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code objects}: shows the active objects of running deployments. */
@Command(
    name = "objects",
    description = {
      "Shows the active objects of running deployments.",
      "%nThe longest queues come first."
    })
public final class ObjectsCommand extends CliCommand {

  /** Rows of a table, without {@code --all}; three tables make a screen. */
  private static final int TOTALS = 10;

  private static final int OBJECTS = 20;

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument deployments;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Option(names = "--node", paramLabel = "NODE", description = "Only the objects of a node.")
  private String node = "";

  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = "Only the objects of a class, given by its simple or full name.")
  private String type = "";

  @Option(
      names = "--object",
      paramLabel = "OBJECT",
      description = "Only this object, such as local-1/3, with all that is known of it.")
  private String object = "";

  @Override
  public Integer call() throws IOException {
    if (!object.isEmpty()) {
      return printOne();
    }
    var most = limit.most(OBJECTS, RunningGrid.MOST_OBJECTS);
    var answers = deployments.answers(grid -> grid.objects(node, type, most));
    PrintWriter out = out();
    if (format.isJson()) {
      out.println(RunningGrid.toJson(answers.given()));
    } else {
      for (var each : answers.given()) {
        print(each, limit, out);
        if (!type.isEmpty() && each.total().objects() == 0) {
          out.printf(
              "it has no object of a class '%s' now; give the simple or the full name of a class%n",
              type);
        }
      }
    }
    return answers.report(err());
  }

  /** Prints one object, given by the node of its birth and its number there. */
  private int printOne() throws IOException {
    if (!(node.isEmpty() && type.isEmpty())) {
      throw wrong("--node and --class select objects; leave them out, or --object");
    }
    var slash = object.lastIndexOf('/');
    if (slash < 1) {
      throw wrong(noObject());
    }
    try {
      var number = Long.parseLong(object.substring(slash + 1));
      var its = deployments.one().object(object.substring(0, slash), number);
      if (format.isJson()) {
        out().println(RunningGrid.toJson(List.of(its)));
      } else {
        print(its, out());
      }
      return ExitCode.OK;
    } catch (NumberFormatException e) {
      throw wrong(noObject(), e);
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
  }

  private String noObject() {
    return "'" + object + "' is no object; name its node and number, such as local-1/3";
  }

  /** Prints an object for users. */
  static void print(GridObject its, PrintWriter out) {
    out.printf("%s: %s on %s%n", its.object(), its.type(), its.node());
    var wait = its.waiting();
    out.println("waits:      " + (wait == null ? "for nothing" : WaitText.of(wait)));
    if (its.threads() != null) { // a program of an older version does not tell
      out.println(
          "serves:     " + count(its.parallelism(), "request") + " at a time, on " + its.threads());
    }
    out.println("queued:     " + count(its.queued(), "request"));
    if (!its.key().isEmpty()) {
      out.println("key:        " + its.key());
    }
    if (!its.names().isEmpty()) {
      out.println("names:      " + String.join(", ", its.names()));
    }
    out.println("moved:      " + count(its.moves(), "time"));
    out.println("restarted:  " + count(its.restarts(), "time"));
    var holders = its.holders();
    out.println(
        "referred:   "
            + (holders == null
                ? "not known by which nodes"
                : holders.isEmpty() ? "by no other node" : "by " + String.join(", ", holders)));
    its.groups()
        .forEach(
            each ->
                out.printf(
                    "group:      rank %d of %d in %s%n", each.rank(), each.size(), each.group()));
    if (!its.options().isEmpty()) {
      out.println("options:    " + its.options());
    }
    printServed(its.serving(), out);
    printQueue(its.queue(), out);
    var rest = its.queued() - its.queue().size();
    if (rest > 0) {
      out.printf(Locale.ROOT, "... and %d more%n", rest);
    }
  }

  private static void printQueue(List<GridObject.Request> requests, PrintWriter out) {
    if (requests.isEmpty()) {
      return;
    }
    var table = new TextTable("IN ITS QUEUE", "FOR");
    requests.forEach(each -> table.row(each.method(), each.caller()));
    out.println(table);
  }

  private static void printServed(List<GridObject.Request> requests, PrintWriter out) {
    if (requests.isEmpty()) {
      return;
    }
    var table = new TextTable("SERVED NOW", "FOR", "SINCE AT MOST s");
    for (var each : requests) {
      table.row(
          each.method(),
          each.caller(),
          each.seconds() < 0 ? "-" : "%.1f".formatted(each.seconds()));
    }
    out.println(table);
  }

  /** Prints the objects of a deployment for users. */
  static void print(GridObjects grid, ListLimit limit, PrintWriter out) {
    var total = grid.total();
    out.printf(
        Locale.ROOT,
        "%s: %s: %s, %s queued, %d serving%n",
        grid.id(),
        grid.program(),
        count(total.objects(), "object"),
        count(total.queued(), "request"),
        total.serving());
    printClasses(grid.classes(), limit, out);
    printNodes(grid.nodes(), limit, out);
    printObjects(grid, out);
  }

  private static void printClasses(List<ClassTotal> classes, ListLimit limit, PrintWriter out) {
    if (classes.isEmpty()) {
      return;
    }
    var table = new TextTable("CLASS", "OBJECTS", "QUEUED", "SERVING");
    for (var each : limit.shown(classes, TOTALS)) {
      var its = each.total();
      table.row(each.type(), its.objects(), its.queued(), its.serving());
    }
    out.println(table);
    limit.printRest(classes, TOTALS, "classes", out);
  }

  private static void printNodes(List<NodeTotal> nodes, ListLimit limit, PrintWriter out) {
    var table = new TextTable("NODE", "OBJECTS", "QUEUED", "SERVING", "FORWARDERS");
    for (var each : limit.shown(nodes, TOTALS)) {
      var its = each.total();
      if (each.isAnswered()) {
        table.row(each.node(), its.objects(), its.queued(), its.serving(), each.forwarders());
      } else {
        table.row(each.node(), "-", "-", "-", "-");
      }
    }
    out.println(table);
    limit.printRest(nodes, TOTALS, "nodes", out);
    var silent = nodes.stream().filter(each -> !each.isAnswered()).count();
    if (silent > 0) {
      out.printf(
          "%s gave no answer in time; the objects there are missing%n", count(silent, "node"));
    }
    var uncounted = nodes.stream().mapToLong(NodeTotal::uncounted).sum();
    if (uncounted > 0) {
      out.printf(
          "%s not counted, because the nodes took too long%n", count(uncounted, "more object"));
    }
  }

  private static void printObjects(GridObjects grid, PrintWriter out) {
    if (grid.objects().isEmpty()) {
      return;
    }
    var table =
        new TextTable(
            "OBJECT",
            "CLASS",
            "KEY",
            "NODE",
            "QUEUED",
            "SERVING",
            "FOR s",
            "MOVED",
            "RESTARTS",
            "LOG bytes",
            "OPTIONS",
            "NAMES");
    for (ObjectLine each : grid.objects()) {
      table.row(
          each.object(),
          each.type()
              .substring(1 + Math.max(each.type().lastIndexOf('.'), each.type().lastIndexOf('$'))),
          each.key().isEmpty() ? "-" : each.key(),
          each.node(),
          each.queued(),
          each.isAsleep() ? "asleep" : each.serving().isEmpty() ? "-" : each.serving(),
          each.servingSeconds() < 0 ? "-" : "%.1f".formatted(each.servingSeconds()),
          each.moves(),
          each.restarts(),
          each.logBytes() == 0 ? "-" : each.logBytes(),
          each.options().isEmpty() ? "-" : each.options(),
          each.names().isEmpty() ? "-" : String.join(", ", each.names()));
    }
    out.println(table);
    var rest = grid.total().objects() - grid.objects().size();
    if (rest > 0) {
      out.printf(
          Locale.ROOT,
          "... and %d more of %d objects; '--node', '--class' and '--all' show more%n",
          rest,
          grid.total().objects());
    }
  }
}
