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

/** Which of the deployments that run on this machine a verb is about. */
final class DeploymentSelection {

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--of",
      paramLabel = "ID",
      description =
          "The deployment: the id of its process, or its id in ps; not needed if there is only one.")
  private @Nullable String id;

  /** Returns the one that is meant. */
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

  /** Returns the one that is named, or all; perhaps none. */
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

  /** Says whether {@code ps} calls it so. */
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

  /** A node does not exist. */
  ParameterException wrong(IllegalArgumentException e) {
    return wrong(String.valueOf(e.getMessage()));
  }
}
