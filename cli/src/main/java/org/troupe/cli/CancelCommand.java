package org.troupe.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code cancel}: ends a deployment. */
@Command(
    name = "cancel",
    description = "Ends a program that has deployed, as Ctrl-C would, and with it its nodes.")
final class CancelCommand implements Callable<Integer> {

  @Mixin private HelpOption help;

  @Mixin private Deployments deployments;

  @Override
  public Integer call() throws IOException {
    deployments.one().cancel();
    return ExitCode.OK;
  }
}
