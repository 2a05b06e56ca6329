package org.troupe.cli.descriptor;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.Nodes;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DescriptorFile;
import org.troupe.cli.observe.StatusCommand;
import org.troupe.cli.terminal.ListLimit;
import org.troupe.cli.terminal.OutputFormat;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.RunningGrid;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code deploy}: tries a deployment. */
@Command(
    name = "deploy",
    description = {
      "Tries a descriptor: starts its nodes, and ends them.",
      "%nShows the nodes, those that it waits for, and the latency between clusters; "
          + "Ctrl-C gives up. The exit code is 3 if not all nodes can start. A program "
          + "deploys by Grid.deploy, an application by its option --grid."
    })
public final class DeployCommand extends CliCommand {

  /** The time limit; long, since queues may be long, and the user can press Ctrl-C. */
  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);

  @Mixin private DescriptorFile descriptor;

  @Mixin private OutputFormat format;

  @Mixin private ListLimit limit;

  @Override
  public Integer call() throws InterruptedException, IOException, TimeoutException {
    PrintWriter out = out();
    long began = System.nanoTime();
    try (Grid grid = Grid.deploy(descriptor.read(), GridOptions.standard())) {
      try (var _ = grid.view()) {
        grid.nodes().await(Nodes.all(), AS_LONG_AS_IT_TAKES);
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      grid.distances(); // measured for the status
      List<GridStatus> status = status(grid);
      if (format.isJson()) {
        out.println(RunningGrid.toJson(status));
      } else {
        status.forEach(each -> StatusCommand.print(each, limit, out));
        var nodes = grid.nodes().size();
        out.printf(
            "%s there after %.1f s%n",
            nodes == 1 ? "the node was" : "all " + nodes + " nodes were", seconds);
      }
    }
    return ExitCode.OK;
  }

  /** Returns its status as {@code status} shows it; empty without a control socket. */
  private static List<GridStatus> status(Grid grid) throws IOException {
    var seen = RunningGrid.ofThisProgram(grid.run());
    return seen.isPresent() ? List.of(seen.get().status()) : List.of();
  }
}
