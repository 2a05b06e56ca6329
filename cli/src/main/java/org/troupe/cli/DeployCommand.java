package org.troupe.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code deploy}: whether a deployment works. */
@Command(
    name = "deploy",
    description = {
      "Tries a descriptor: starts its nodes, shows them and the latency between its clusters, and"
          + " ends them.%n",
      "Shows the nodes that it waits for; Ctrl-C gives up. The exit code is 3 if not all nodes can"
          + " start. A program deploys by Grid.deploy, an application by its option --grid."
    })
final class DeployCommand extends CliCommand {

  /** Queues may be long; the user sees what is waited for, and has Ctrl-C. */
  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);

  @Mixin private DescriptorFile descriptor;

  @Mixin private OutputFormat format;

  @Override
  public Integer call() throws InterruptedException, IOException, TimeoutException {
    PrintWriter out = out();
    long began = System.nanoTime();
    try (Grid grid = Grid.deploy(descriptor.read(), GridOptions.standard())) {
      try (var _ = grid.view()) {
        grid.nodes().await(Nodes.all(), AS_LONG_AS_IT_TAKES);
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      grid.distances(); // for the status to have them
      List<GridStatus> status = statusOfOurs();
      if (format.isJson()) {
        out.println(RunningGrid.toJson(status));
      } else {
        status.forEach(each -> StatusCommand.print(each, out));
        out.printf("all %d nodes were there after %.1f s%n", grid.nodes().size(), seconds);
      }
    }
    return ExitCode.OK;
  }

  /** Returns what {@code status} would show of this process, if anything can be asked. */
  private static List<GridStatus> statusOfOurs() throws IOException {
    String id = Long.toString(ProcessHandle.current().pid());
    List<GridStatus> status = new ArrayList<>();
    for (RunningGrid grid : RunningGrid.all()) {
      if (grid.id().equals(id)) {
        status.add(grid.status());
      }
    }
    return status;
  }
}
