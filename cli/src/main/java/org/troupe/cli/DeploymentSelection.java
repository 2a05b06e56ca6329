package org.troupe.cli;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
  private @Nullable String id;

  /** Returns the selected deployment, or the only one. */
  RunningGrid one() {
    var all = some();
    if (all.size() > 1) {
      throw wrong("there are several deployments; choose one with '--of': " + ids(all));
    }
    if (all.isEmpty()) {
      throw wrong("no program of yours has a deployment on this machine now; start one first");
    }
    return all.getFirst();
  }

  /** Returns the selected deployment, or all; may be empty. */
  List<RunningGrid> some() {
    var all = RunningGrid.all();
    if (id == null) {
      return all;
    }
    return List.of(
        all.stream()
            .filter(each -> each.id().equals(id) || isRun(each))
            .findFirst()
            .orElseThrow(
                () ->
                    wrong(
                        "there is no deployment '"
                            + id
                            + "'; "
                            + (all.isEmpty() ? "none is running" : "there are " + ids(all)))));
  }

  /** Returns whether the option has the run's id. */
  private boolean isRun(RunningGrid grid) {
    try {
      return grid.status().run().equals(id);
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static String ids(List<RunningGrid> grids) {
    return grids.stream().map(RunningGrid::id).collect(Collectors.joining(", "));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Returns the usage error for a node that does not exist. */
  ParameterException wrong(IllegalArgumentException e) {
    return wrong(String.valueOf(e.getMessage()));
  }
}
