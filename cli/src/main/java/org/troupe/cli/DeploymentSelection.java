package org.troupe.cli;

import java.util.List;
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
