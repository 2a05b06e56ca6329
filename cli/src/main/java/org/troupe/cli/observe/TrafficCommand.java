package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.runs.GridPair;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code traffic}: shows what nodes have sent to each other. */
@Command(
    name = "traffic",
    description = {
      "Shows what nodes of a running deployment have sent to each other.",
      "%nWithout nodes, the pairs with most bytes come first. With two nodes, shows the calls of the "
          + "first to objects of the second, what is not acknowledged, and their connection."
    })
public final class TrafficCommand extends CliCommand {

  private static final String ROWS = "nodes,pairs"; // nodes say what they have left out
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final int TWO = 2;

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Parameters(
      paramLabel = "NODE",
      arity = "0..2",
      description = "The sender and the receiver; either may be the program.")
  private List<String> nodes = List.of();

  @Override
  public Integer call() throws IOException {
    if (nodes.size() == 1) {
      throw wrong("one node is no pair; name the sender and the receiver, or none");
    }
    var grid = deployments.one();
    try {
      if (nodes.size() == TWO) {
        printOne(grid.pair(nodes.getFirst(), nodes.getLast()));
      } else {
        var seen = new Pairs();
        grid.watch(INTERVAL, ROWS, "", seen);
        return printAll(seen);
      }
      return ExitCode.OK;
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
  }

  /** The pairs of a deployment, which take the lines of its first round. */
  static final class Pairs implements Predicate<String> {
    private final List<WatchRecord.Pair> pairs = new ArrayList<>();
    private long leftOut; // rows of all kinds
    private WatchRecord.@Nullable Round end;

    @Override
    public boolean test(String line) {
      switch (WatchCodec.record(line).orElse(null)) {
        case WatchRecord.Pair pair -> pairs.add(pair);
        case WatchRecord.Node node -> leftOut += node.load() == null ? 0 : node.load().leftOut();
        case WatchRecord.Round round -> {
          end = round;
          leftOut += round.dropped();
        }
        case null, default -> {}
      }
      return end == null;
    }

    /** Returns the pairs, those with most bytes first. */
    List<WatchRecord.Pair> sorted() {
      return pairs.stream()
          .sorted(
              Comparator.comparingLong(WatchRecord.Pair::bytes)
                  .reversed()
                  .thenComparing(WatchRecord.Pair::node, NaturalOrder.OF_NAMES)
                  .thenComparing(WatchRecord.Pair::peer, NaturalOrder.OF_NAMES))
          .toList();
    }

    /** Returns whether nothing can be missing. */
    boolean isWhole() {
      return end != null && end.silent() == 0 && leftOut == 0;
    }

    /** Says what is missing; returns whether there was a round at all. */
    boolean report(PrintWriter err) {
      var round = end;
      if (round == null) {
        err.println("the deployment has ended meanwhile");
        return false;
      }
      if (round.silent() > 0) {
        err.println(
            "%s gave no answer in time; what was sent from there may be missing"
                .formatted(count(round.silent(), "node")));
      }
      if (leftOut > 0) {
        err.println(
            "%s of the nodes' reports did not fit; pairs may be missing"
                .formatted(count(leftOut, "row")));
      }
      return true;
    }
  }

  private int printAll(Pairs seen) {
    var isAnswered = seen.report(err());
    err().flush();
    if (!isAnswered) {
      return ExitCode.SOFTWARE;
    }
    var pairs = seen.sorted();
    var out = out();
    if (format.isJson()) {
      out.println(RunningGrid.toJson(pairs));
    } else if (pairs.isEmpty()) {
      out.println(
          seen.isWhole()
              ? "no node has sent anything to another one"
              : "nothing is known to have been sent from one node to another");
    } else {
      print(pairs, out);
    }
    return ExitCode.OK;
  }

  private void print(List<WatchRecord.Pair> pairs, PrintWriter out) {
    var table = new TextTable("FROM", "TO", "DRIVER", "MESSAGES", "BYTES", "RESETS", "ROUND TRIP");
    for (var each : limit.shown(pairs)) {
      table.row(
          each.node(),
          each.peer(),
          each.driver().isEmpty() ? "-" : each.driver(),
          each.messages(),
          each.bytes(),
          each.resets(),
          each.roundTripSeconds() == 0 ? "-" : ActivityTables.seconds(each.roundTripSeconds()));
    }
    out.println(table);
    limit.printRest(pairs, "pairs", out);
  }

  private void printOne(GridPair pair) {
    if (format.isJson()) {
      out().println(RunningGrid.toJson(List.of(pair)));
    } else {
      print(pair, nodes.getFirst() + " to " + nodes.getLast(), limit, out());
    }
  }

  /** Prints a pair for users. */
  static void print(GridPair its, String names, ListLimit limit, PrintWriter out) {
    var addresses = its.addresses();
    out.println(names + ": " + connection(addresses.local(), addresses.remote(), addresses.file()));
    var late = its.unacknowledged();
    out.println(
        "not acknowledged: %s with %s, %d bytes"
            .formatted(
                count(late.messages(), "message"),
                count(late.slices(), "array slice"),
                late.bytes()));
    if (its.methods().isEmpty()) {
      out.println("no calls of it are counted");
      return;
    }
    var table = new TextTable("CALLS", "METHOD");
    for (var each : limit.shown(its.methods())) {
      table.row(each.calls(), ActivityTables.clean(each.type() + "." + each.method()));
    }
    out.println(table);
    limit.printRest(its.methods(), "methods", out);
    if (its.moreMethods() > 0) {
      out.println(
          "... and %s of %s"
              .formatted(count(its.moreCalls(), "call"), count(its.moreMethods(), "more method")));
    }
  }

  private static String connection(String local, String remote, String file) {
    if (!file.isEmpty()) {
      return "over " + file;
    }
    return local.isEmpty() && remote.isEmpty()
        ? "the transport does not tell its connection"
        : "%s to %s".formatted(orUnknown(local), orUnknown(remote));
  }

  private static String orUnknown(String address) {
    return address.isEmpty() ? "an unknown address" : address;
  }
}
