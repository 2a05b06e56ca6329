package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.cli.terminal.TerminalSize;
import org.troupe.cli.terminal.TerminalWriter;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.watch.WatchCodec;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchScope;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code top}: shows what a running deployment does, until it ends. */
@Command(
    name = "top",
    description = {
      "Shows what a running deployment does, until it ends.",
      "%nShows its nodes, busiest methods, longest queues and waits, and failures. "
          + "Without a terminal it prints a line per round. With --once it prints one "
          + "screen, and ends."
    })
public final class TopCommand extends CliCommand {

  private static final String HOME = "\u001b[H";
  private static final String ERASE_REST_OF_LINE = "\u001b[K";
  private static final String ERASE_BELOW = "\u001b[J";

  private static final int ROUNDS_WITH_RATES = 2; // a rate is the difference of two rounds
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument deployments;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "The seconds between two rounds, from 1 to 10 (default: ${DEFAULT-VALUE}).")
  private int interval = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Ends after so many rounds (default: when the deployment ends).")
  private int rounds = Integer.MAX_VALUE;

  @Option(
      names = "--once",
      description =
          "Prints the screen of the second round, which has rates, and ends; with --json, the first"
              + " round.")
  private boolean isOnce;

  @Option(
      names = "--json",
      description = "Prints the records of the stream, a line of JSON for each (docs/observe.md).")
  private boolean json;

  @Option(
      names = "--rows",
      paramLabel = "KINDS",
      description =
          "With --json: which records, any of nodes, methods, queues, waits, collectives, cycles, classes,"
              + " pairs, failures, events, jobs, vitals, panels, with commas between (default: all but"
              + " vitals and panels).")
  private String kinds = "";

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "With --json: only what has changed since the round with this cursor.")
  private String cursor = "";

  @Override
  public Integer call() throws IOException {
    if (interval < 1 || interval > 10) {
      throw wrong("--interval " + interval + " is not between 1 and 10 seconds");
    }
    if (rounds < 1) {
      throw wrong("--rounds " + rounds + " is no number of rounds; give 1 or more");
    }
    if (isOnce && rounds != Integer.MAX_VALUE) {
      throw wrong("--once and --rounds both say when to end; give one of them");
    }
    if (!json && !(kinds.isEmpty() && cursor.isEmpty())) {
      throw wrong("--rows and --cursor select records for --json; add it, or leave them out");
    }
    checkKinds();
    var grid = deployments.one();
    try {
      if (json) {
        printRecords(grid);
      } else if (isOnce) {
        showOnce(grid);
      } else {
        show(grid);
      }
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
    return ExitCode.OK;
  }

  private void checkKinds() {
    try {
      WatchScope.named(kinds);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private void printRecords(RunningGrid grid) throws IOException {
    var out = new TerminalWriter(out());
    var left = new Countdown(isOnce ? 1 : rounds);
    grid.watch(
        Duration.ofSeconds(interval),
        kinds,
        cursor,
        line -> {
          out.println(line);
          return !out.checkError() && !(isEndOfRound(line) && left.isOver());
        });
  }

  private static boolean isEndOfRound(String line) {
    return WatchCodec.record(line).filter(WatchRecord.Round.class::isInstance).isPresent();
  }

  private void show(RunningGrid grid) throws IOException {
    var out = out();
    var size = TerminalSize.ofStandardOutput();
    var view = new TopView();
    var left = new Countdown(rounds);
    grid.watch(
        Duration.ofSeconds(interval),
        "",
        "",
        line -> {
          var isEnd = WatchCodec.record(line).map(view::add).orElse(false);
          if (isEnd) {
            draw(view, size, out);
          }
          return !out.checkError() && !(isEnd && left.isOver());
        });
    if (size.isPresent()) {
      out.println();
    }
  }

  /** Prints one screen, below what the terminal shows, or as a whole if there is none. */
  private void showOnce(RunningGrid grid) throws IOException {
    var view = new TopView();
    var left = new Countdown(ROUNDS_WITH_RATES);
    grid.watch(
        Duration.ofSeconds(interval),
        "",
        "",
        line -> !(WatchCodec.record(line).map(view::add).orElse(false) && left.isOver()));
    var columns = TerminalSize.ofStandardOutput().map(TerminalSize::columns).orElse(NO_LIMIT);
    view.screen(columns, NO_LIMIT).forEach(out()::println);
  }

  private static void draw(TopView view, Optional<TerminalSize> terminal, PrintWriter out) {
    if (terminal.isEmpty()) {
      out.println(view.line());
    } else {
      var size = terminal.get();
      out.print(HOME);
      for (var line : view.screen(size.columns(), size.rows())) {
        out.print(line + ERASE_REST_OF_LINE + "\r\n");
      }
      out.print(ERASE_BELOW);
    }
    out.flush();
  }

  /** Counts rounds. */
  private static final class Countdown {
    private int left;

    Countdown(int left) {
      this.left = left;
    }

    boolean isOver() {
      return --left <= 0;
    }
  }
}
