package org.troupe.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ibis-server}: the server of pools for programs of the Ibis Portability Layer. */
@Command(
    name = "ibis-server",
    description = "Runs the server of the Ibis Portability Layer; see 'troupe ibis-server --help'.",
    customSynopsis = "troupe ibis-server [--port NUMBER] [--secret-file FILE] [--events] ...")
final class IbisServerCommand implements Callable<Integer> {

  private static final String MAIN = "ibis.ipl.server.Server";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARG", description = "The server's own options.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws ProgramException {
    JavaProgram program;
    try {
      program = JavaProgram.of(MAIN);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "this distribution has no Ibis server (" + MAIN + ")", e);
    }
    program.run(arguments);
    return ExitCode.OK;
  }
}
