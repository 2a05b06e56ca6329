package org.troupe.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench}: measures everything against its limit and its peers. */
@Command(
    name = "bench",
    description = "Runs the benchmarks; 'troupe bench --help' lists them.",
    customSynopsis = "troupe bench [NAME...] [--quick] [--csv FILE] [--png FOLDER]")
final class BenchCommand implements Callable<Integer> {

  private static final String MAIN = "org.troupe.benchmarks.Main";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARG", description = "What to run and how; all of it is the program's.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws ProgramException {
    JavaProgram program;
    try {
      program = JavaProgram.of(MAIN);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "this distribution has no benchmarks (" + MAIN + ")", e);
    }
    program.run(arguments);
    return ExitCode.OK;
  }
}
