package org.troupe.cli.observe;

import java.io.IOException;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.deployment.runs.RefusedRequestException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stack}: prints the stacks of nodes' threads. */
@Command(
    name = "stack",
    description = {
      "Prints the stacks of nodes' threads, and waits.",
      "%nThe waits are those of the active objects of the nodes."
    })
public final class StackCommand extends CliCommand {

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Parameters(paramLabel = "NODE", arity = "0..1", description = "The node; default: all nodes.")
  private String node = "";

  @Override
  public Integer call() throws IOException {
    try {
      out().println(deployments.one().stack(node));
      return ExitCode.OK;
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
  }
}
