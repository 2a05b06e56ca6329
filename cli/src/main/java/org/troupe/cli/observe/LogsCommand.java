package org.troupe.cli.observe;

import java.io.IOException;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.OtherMachine;
import org.troupe.deployment.runs.RefusedRequestException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs}: prints the output of nodes. */
@Command(name = "logs", description = "Prints the last lines that nodes have printed.")
public final class LogsCommand extends CliCommand {

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Parameters(paramLabel = "NODE", arity = "0..1", description = "The node; default: all nodes.")
  private String node = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Follows the output until the deployment ends.")
  private boolean follow;

  @Override
  public Integer call() throws IOException {
    try {
      deployments.one().logs(node, follow, out()::println);
      return ExitCode.OK;
    } catch (RefusedRequestException e) {
      throw deployments.wrong(e);
    }
  }
}
