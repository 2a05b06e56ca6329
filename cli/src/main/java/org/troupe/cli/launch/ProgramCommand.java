package org.troupe.cli.launch;

import java.util.List;
import java.util.concurrent.Callable;
import org.troupe.cli.program.JavaProgram;
import org.troupe.cli.program.ProgramException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A verb that runs a program of the distribution and passes all arguments to it. */
abstract class ProgramCommand implements Callable<Integer> {

  private final String main;
  private final String title;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARG", description = "The program's own options.")
  private List<String> arguments = List.of();

  /**
   * Creates the verb.
   *
   * @param main its main class
   * @param title the program's title, for the message that it is missing
   */
  ProgramCommand(String main, String title) {
    this.main = main;
    this.title = title;
  }

  @Override
  public final Integer call() throws ProgramException {
    JavaProgram program;
    try {
      program = JavaProgram.of(main);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "this distribution has no " + title + " (" + main + ")", e);
    }
    program.run(arguments);
    return ExitCode.OK;
  }
}
