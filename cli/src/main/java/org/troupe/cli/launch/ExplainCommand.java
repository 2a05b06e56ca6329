package org.troupe.cli.launch;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.program.ClassPath;
import org.troupe.replicas.Replicas;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: explains calls on active or replicated objects of a class. */
@Command(
    name = "explain",
    description = {
      "Prints which calls on objects of a class wait.",
      "%nIf the class cannot have active objects, it prints why."
    })
public final class ExplainCommand extends CliCommand {

  @Mixin private ClassPath classPath;

  @Option(
      names = "--replica",
      description =
          "Prints which methods of a replicated object of the class are reads, which are writes,"
              + " and why.")
  private boolean isReplica;

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
    var table = isReplica ? Replicas.explain(type) : ActiveObjects.explain(type);
    out().println(table.stripTrailing());
    return ExitCode.OK;
  }
}
