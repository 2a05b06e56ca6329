package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RunStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code ps}: shows the recorded runs, including killed ones. */
@Command(
    name = "ps",
    description = {
      "Shows the runs of your programs on all machines.",
      "%nShows the JVMs, jobs and folders of each. A killed run may leave some of them "
          + "behind; 'clean' removes them."
    })
public final class PsCommand extends CliCommand {

  @Mixin private OtherMachine machine;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = out();
    List<RunStatus> runs = new ArrayList<>();
    for (RecordedRun run : RecordedRun.all()) {
      runs.add(run.look());
    }
    if (format.isJson()) {
      out.println(RecordedRun.toJson(runs));
    } else if (runs.isEmpty()) {
      out.println("no program of yours runs on a grid from here, and nothing is left behind");
    } else {
      limit.shown(runs).forEach(run -> print(run, out));
      limit.printRest(runs, "runs", out);
    }
    return ExitCode.OK;
  }

  private void print(RunStatus run, PrintWriter out) {
    if (run.state().equals("held")) {
      out.printf("%s: held for runs, since %s: %s%n", run.id(), run.since(), run.program());
    } else {
      out.printf(
          "%s: %s; process %d on %s, since %s: %s%n",
          run.id(), run.state(), run.pid(), run.host(), run.since(), run.program());
    }
    if (run.things().isEmpty()) {
      out.println("  only its record was found");
    }
    limit.shown(run.things()).forEach(thing -> out.println("  " + thing));
    limit.printRest(run.things(), "processes, jobs and files", out);
  }
}
