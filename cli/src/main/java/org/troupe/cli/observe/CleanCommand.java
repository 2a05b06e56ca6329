package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunSelection;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunStatus;
import org.troupe.deployment.runs.RunStatus.Thing;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clean}: removes the leftovers of killed programs. */
@Command(
    name = "clean",
    description = {
      "Removes the leftovers of killed programs.",
      "%nCancels their jobs, ends their JVMs and deletes their folders. Does not touch "
          + "runs whose program is alive. The exit code is 1 if something remains."
    })
public final class CleanCommand extends CliCommand {

  @Mixin private OtherMachine machine;

  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description = "The run's id in 'ps', or a prefix of it; default: all runs.")
  private String id = "";

  @Option(
      names = "--force",
      description =
          "Ends the named run even if its program is alive; forgets machines that cannot be"
              + " reached.")
  private boolean force;

  @Mixin private OutputFormat format;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = out();
    List<RunStatus> cleaned = new ArrayList<>();
    for (RecordedRun run : chosen()) {
      RunStatus status = run.clean(force);
      cleaned.add(status);
      if (!format.isJson()) {
        status.things().forEach(thing -> out.println(status.id() + ": " + thing));
      }
    }
    if (format.isJson()) {
      out.println(RecordedRun.toJson(cleaned));
    } else if (cleaned.isEmpty()) {
      out.println("nothing is left behind");
    }
    return cleaned.stream().flatMap(run -> run.things().stream()).anyMatch(Thing::isLeft)
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private List<RecordedRun> chosen() throws IOException {
    List<RecordedRun> all = RecordedRun.all();
    if (id.isEmpty()) {
      if (force) {
        throw wrong("'--force' needs the ID of one run; 'troupe ps' shows them");
      }
      return all.stream().filter(run -> !run.mayRun()).toList();
    }
    try {
      var named = RunSelection.recorded(id, all, "run", "nothing is left behind");
      if (named.mayRun() && !force) {
        throw wrong("'" + id + "' may still run; '--force' ends it");
      }
      return List.of(named);
    } catch (RefusedRequestException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }
}
