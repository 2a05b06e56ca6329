package org.troupe.cli.observe;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.stream.Stream;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.UsageError;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code act}: changes a running deployment, as the page does. */
@Command(
    name = "act",
    subcommands = {
      ActCommand.Release.class,
      ActCommand.Request.class,
      ActCommand.Collect.class,
      ActCommand.LogLevel.class,
      ActCommand.HeapDump.class,
      ActCommand.Press.class
    },
    synopsisSubcommandLabel =
        "(release NODE | request N | collect NODE | log-level LEVEL | heap-dump NODE | press PANEL BUTTON)",
    description = {
      "Changes a running deployment, as the page can.",
      "%nEach change is an event of the run. 'troupe cancel' ends a run, and 'troupe "
          + "observe' changes what it records."
    })
public final class ActCommand extends CliCommand {

  /** Reports that the word after {@code act} is missing. */
  @Override
  public Integer call() {
    throw wrong("the word after 'act' is missing; choose from " + UsageError.verbs(spec()));
  }

  /** A word after {@code act}. */
  abstract static class Action extends CliCommand {

    @Mixin private OtherMachine machine;

    @Mixin private DeploymentSelection deployments;

    /** Returns the action that the command line states. */
    abstract RunAction action();

    @Override
    public final Integer call() throws IOException {
      var action = action();
      try {
        var result = deployments.one().act(action);
        if (!result.done().isEmpty()) {
          out().println(result.done());
        }
        if (result.silent().isEmpty()) {
          return result.isPartial() ? ExitCode.SOFTWARE : ExitCode.OK;
        }
        err()
            .println(
                "no answer yet from "
                    + String.join(", ", result.silent())
                    + "; 'troupe top --once --json --rows events' shows how it ends");
        return ExitCode.SOFTWARE;
      } catch (RefusedRequestException e) {
        throw deployments.wrong(e);
      }
    }
  }

  /** {@code act release}. */
  @Command(
      name = "release",
      description = {
        "Ends a node in order.",
        "%nThe node gets no new objects, serves what it has, and leaves the grid. "
            + "Objects on it that cannot move end with it."
      })
  static final class Release extends Action {

    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Override
    RunAction action() {
      return new RunAction.Release(node);
    }
  }

  /** {@code act request}. */
  @Command(
      name = "request",
      description = {
        "Starts more nodes, as the descriptor says.",
        "%nA batch system gets one more job, and may give whole machines only. The "
            + "program uses them if it is made for nodes that join later."
      })
  static final class Request extends Action {

    @Parameters(paramLabel = "N", description = "How many, from 1 to 1000.")
    private int nodes;

    @Option(
        names = "--virtual-node",
        paramLabel = "NAME",
        description = "The virtual node that they are to be of (default: any).")
    private String virtualNode = "";

    @Override
    RunAction action() {
      if (nodes < 1 || nodes > RunAction.Request.MOST_NODES) {
        throw wrong(RunAction.Request.refusal(nodes));
      }
      return new RunAction.Request(virtualNode, nodes);
    }
  }

  /** {@code act collect}. */
  @Command(
      name = "collect",
      description = {
        "Collects the garbage of a JVM.",
        "%nThe JVM stands still meanwhile. Prints the heap in use before and after."
      })
  static final class Collect extends Action {

    @Parameters(paramLabel = "NODE", description = "The node; it may be the program.")
    private String node = "";

    @Override
    RunAction action() {
      return new RunAction.CollectGarbage(node);
    }
  }

  /** {@code act log-level}. */
  @Command(
      name = "log-level",
      description = {
        "Changes the level from which on loggers log, for some time.",
        "%nThe loggers are those of java.util.logging. A low level may slow the run."
      })
  static final class LogLevel extends Action {

    private static final String LEVELS = "ALL, TRACE, DEBUG, INFO, WARNING, ERROR, OFF";
    private static final Duration USUALLY = Duration.ofMinutes(10);
    private static final Duration LONGEST = Duration.ofDays(1);

    @Parameters(paramLabel = "LEVEL", description = "One of " + LEVELS + ".")
    private String level = "";

    @Option(
        names = "--node",
        paramLabel = "NODE",
        description = "Only of this node (default: all that are there, and the program).")
    private String node = "";

    @Option(
        names = "--logger",
        paramLabel = "NAME",
        description = "Only this logger and those below it, such as org.acme (default: all).")
    private String logger = "";

    @Option(
        names = "--for",
        paramLabel = "DURATION",
        description = "For how long, up to PT24H (default: PT10M).")
    private String within = "";

    @Override
    RunAction action() {
      if (Stream.of(Level.values()).noneMatch(each -> each.name().equalsIgnoreCase(level))) {
        throw wrong("there is no log level '" + level + "'; choose from " + LEVELS);
      }
      var duration = within.isEmpty() ? USUALLY : duration();
      return new RunAction.SetLogLevel(node, logger, level, Math.toIntExact(duration.toSeconds()));
    }

    private Duration duration() {
      try {
        var duration = Duration.parse(within);
        if (duration.toSeconds() > 0 && duration.compareTo(LONGEST) <= 0) {
          return duration;
        }
      } catch (DateTimeParseException e) {
        // reported below
      }
      throw wrong(
          "--for " + within + " is no duration of a second to a day; write one such as PT30S");
    }
  }

  /** {@code act heap-dump}. */
  @Command(
      name = "heap-dump",
      description = {
        "Writes the heap of a JVM to a file on its host.",
        "%nThe file has all data of the program. Only its user can read it, and it stays "
            + "there. The JVM stands still meanwhile. Prints the name of the file."
      })
  static final class HeapDump extends Action {

    @Parameters(paramLabel = "NODE", description = "The node; it may be the program.")
    private String node = "";

    @Override
    RunAction action() {
      return new RunAction.DumpHeap(node);
    }
  }

  /** {@code act press}. */
  @Command(
      name = "press",
      description = {
        "Does what a button of a panel of the program says.",
        "%nIts action runs in the program, and the verb waits for its end. 'troupe top --once --json "
            + "--rows panels' shows the panels and their buttons."
      })
  static final class Press extends Action {

    @Parameters(index = "0", paramLabel = "PANEL", description = "The panel.")
    private String panel = "";

    @Parameters(index = "1", paramLabel = "BUTTON", description = "The button.")
    private String button = "";

    @Override
    RunAction action() {
      return new RunAction.Press(panel, button);
    }
  }
}
