package org.troupe.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.troupe.deployment.runs.Hold;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that selects running deployments for a verb. */
final class DeploymentSelection {

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--of",
      paramLabel = "ID",
      description =
          "The deployment: the id of its process, or its id in ps; not needed if there is only one.")
  private String id = "";

  /** Returns the selected deployment, or the only one. */
  RunningGrid one() {
    try {
      return RunSelection.one(id);
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  /** Returns the hold that the option names; empty if it names none. */
  Optional<RecordedRun> hold() throws IOException {
    return id == null
        ? Optional.empty()
        : Hold.all().stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns the selected deployment, or all; may be empty. */
  List<RunningGrid> some() {
    try {
      return RunSelection.some(id);
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }

  /** Returns the usage error that an exception explains, such as for a node that does not exist. */
  ParameterException wrong(IllegalArgumentException e) {
    return new ParameterException(command.commandLine(), String.valueOf(e.getMessage()));
  }
}
