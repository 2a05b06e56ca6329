package org.troupe.cli.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.RunSelection;
import org.troupe.dashboard.ReportFile;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: writes what is known of a run to a file. */
@Command(
    name = "report",
    description = {
      "Writes what is known of a run to one file of HTML.",
      "%nThe file has the page that shows the run, and can be read without Troupe and "
          + "without a network; 'dashboard FILE' shows it, too.%n",
      "A run that was started by 'run' and has failed has a report already, whose "
          + "name was printed."
    })
public final class ReportCommand extends CliCommand {

  @Parameters(
      paramLabel = "RUN",
      arity = "0..1",
      description =
          "The run: the id of its process, or its id in ps; not needed if there is only one.")
  private String run = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file (default: the id of the run, with .html).")
  private String output = "";

  @Override
  public Integer call() throws IOException {
    checkPlace(file("report"));
    var kept = EndedRuns.report(run);
    if (!run.isEmpty() && Files.exists(kept)) {
      var file = file(run);
      Files.copy(kept, file, StandardCopyOption.REPLACE_EXISTING);
      return written(file);
    }
    RunningGrid grid;
    try {
      grid = RunSelection.one(run, "as the argument");
    } catch (RefusedRequestException e) {
      throw wrong(e.getMessage() + "; " + KeptReports.sentence(), e);
    }
    var file = file(grid.identity().run());
    ReportFile.write(file, grid.recording());
    return written(file);
  }

  private Path file(String id) {
    return Path.of(output.isEmpty() ? id + ".html" : output);
  }

  private int written(Path file) {
    out().println(file + " has the report; open it in a browser");
    return ExitCode.OK;
  }
}
