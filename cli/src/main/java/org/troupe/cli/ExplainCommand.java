package org.troupe.cli;

import org.troupe.activeobjects.ActiveObjects;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code explain}: explains calls on active objects of a class. */
@Command(
    name = "explain",
    description =
        "Prints which calls on active objects of a class wait, or why the class cannot have any.")
final class ExplainCommand extends CliCommand {

  @Mixin private ClassPath classPath;

  @Parameters(paramLabel = "CLASS", description = "The whole name of the class.")
  private String className;

  @Override
  public Integer call() {
    Class<?> type;
    try {
      classPath.check();
      type = ClassPath.load(className);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
    out().println(ActiveObjects.explain(type).stripTrailing());
    return ExitCode.OK;
  }
}
