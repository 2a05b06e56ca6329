package org.troupe.cli.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.FileCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.cli.command.RunSelection;
import org.troupe.dashboard.ReportFile;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.links.OwnerOnly;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
public final class ReportCommand extends CliCommand implements FileCommand {

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument selection;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The file (default: the id of the run, with .html; with --at and without RUN, run.html);"
              + " '-' prints it.")
  private String output = "";

  @Option(names = PRINT, hidden = true)
  private boolean isPrinted;

  @Override
  public Path output() {
    var run = selection.id();
    var file = file(run.isEmpty() ? "run" : run);
    checkPlace(file);
    return file;
  }

  @Override
  public FileAttribute<?>[] attributes() {
    return Files.exists(output()) ? new FileAttribute<?>[0] : OwnerOnly.file();
  }

  @Override
  public List<String> printing() {
    return List.of(PRINT);
  }

  @Override
  public Integer call() throws IOException {
    checkPlace(file("report"));
    var run = selection.id();
    var kept = EndedRuns.report(run);
    if (!run.isEmpty() && Files.exists(kept)) {
      var file = file(run);
      if (FileCommand.isStandardOutput(file)) {
        Files.copy(kept, System.out);
        return ExitCode.OK;
      }
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
    if (FileCommand.isStandardOutput(file)) {
      ReportFile.write(System.out, grid.recording());
      return ExitCode.OK;
    }
    ReportFile.write(file, grid.recording());
    return written(file);
  }

  private Path file(String id) {
    if (isPrinted) {
      return Path.of(STANDARD_OUTPUT);
    }
    return Path.of(output.isEmpty() ? id + ".html" : output);
  }

  private int written(Path file) {
    out().println(file + " has the report; open it in a browser");
    return ExitCode.OK;
  }
}
