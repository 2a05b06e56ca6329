package org.troupe.cli.command;

import picocli.CommandLine.Parameters;

/** Selects running deployments for a verb, by the option or by the only argument of the verb. */
public final class RunArgument extends DeploymentSelection {

  @Parameters(paramLabel = "RUN", arity = "0..1", description = "The same as with --of.")
  private String run = "";

  @Override
  public String id() {
    var option = super.id();
    if (run.isEmpty() || run.equals(option)) {
      return option;
    }
    if (!option.isEmpty()) {
      throw wrong("'%s %s' and '%s' name two runs; give one".formatted(OPTION, option, run));
    }
    return run;
  }
}
