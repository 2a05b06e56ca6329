package org.troupe.cli.observe;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RunStatus;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code cancel}: ends a deployment. */
@Command(
    name = "cancel",
    description = {
      "Ends a program that has deployed, and its nodes.",
      "%nThe program ends as by Ctrl-C. With the id of a hold, the command gives the "
          + "held machines back."
    })
public final class CancelCommand extends CliCommand {

  private static final int MOST_NAMED = 20;

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument deployments;

  @Override
  public Integer call() throws IOException {
    var hold = deployments.hold();
    if (hold.isPresent()) {
      return end(hold.get());
    }
    RunningGrid grid = deployments.one();
    GridStatus status = grid.status();
    boolean isGone = grid.cancel();
    out()
        .printf(
            "%s: %s%n",
            grid.id(),
            isGone
                ? "ended, and its nodes: " + nodes(status)
                : "asked to end, but its process still runs; 'troupe clean --force' ends it");
    return isGone ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Ends the jobs of a hold, and with them the run that uses its machines. */
  private int end(RecordedRun hold) {
    var ended = hold.giveBack();
    ended.things().forEach(thing -> out().println(ended.id() + ": " + thing));
    return ended.things().stream().anyMatch(RunStatus.Thing::isLeft)
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private static String nodes(GridStatus status) {
    List<String> names =
        status.nodes().stream()
            .filter(node -> !node.state().equals("ended"))
            .map(node -> node.name() + " on " + node.host())
            .toList();
    return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
  }
}
