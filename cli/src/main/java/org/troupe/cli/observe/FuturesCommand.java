package org.troupe.cli.observe;

import java.io.PrintWriter;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.runs.GridFutures;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code futures}: shows the results that have not arrived. */
@Command(
    name = "futures",
    description = {
      "Shows results of calls to other nodes that have not arrived.",
      "%nThe oldest come first. AGE AT MOST is an upper bound: a call may have been made later. "
          + "Futures that were passed on to other nodes follow."
    })
public final class FuturesCommand extends CliCommand {

  private static final int ROWS = 20; // of a table, without --all

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Option(names = "--node", paramLabel = "NODE", description = "Only the futures of a node.")
  private String node = "";

  @Override
  public Integer call() {
    PrintWriter out = out();
    var answers = deployments.answers(grid -> grid.futures(node));
    if (format.isJson()) {
      out.println(RunningGrid.toJson(answers.given()));
    } else {
      answers.given().forEach(each -> print(each, limit, out));
    }
    return answers.report(err());
  }

  /** Prints the futures of a deployment for users. */
  static void print(GridFutures its, ListLimit limit, PrintWriter out) {
    out.println(
        its.pending().isEmpty()
            ? "no result of a call to another node is pending"
            : pending(limit.shown(its.pending(), ROWS)));
    limit.printRest(its.pending(), ROWS, "pending results", out);
    if (!its.owed().isEmpty()) {
      var passed = new TextTable("PASSED ON", "FROM", "TO");
      limit
          .shown(its.owed(), ROWS)
          .forEach(each -> passed.row(ActivityTables.clean(each.future()), each.node(), each.to()));
      out.println();
      out.println(passed);
      limit.printRest(its.owed(), ROWS, "futures that were passed on", out);
    }
    if (its.more() > 0) {
      out.println(count(its.more(), "future") + " more, which the nodes do not list");
    }
    if (!its.silent().isEmpty()) {
      out.println("no answer in time from " + String.join(", ", its.silent()));
    }
  }

  private static TextTable pending(List<GridFutures.Pending> rows) {
    var table = new TextTable("RESULT OF", "OBJECT", "ON", "MADE BY", "AT", "AGE AT MOST", "WAITS");
    for (var each : rows) {
      table.row(
          ActivityTables.clean(each.method()),
          each.object(),
          each.node(),
          each.madeBy().isEmpty() ? each.madeOn() : each.madeBy(),
          each.line().isEmpty() ? "-" : ActivityTables.clean(each.line()),
          ActivityTables.seconds(each.seconds()),
          each.isAwaited() ? "yes" : "-");
    }
    return table;
  }
}
