package org.troupe.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code completion}: prints a completion script for shells. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes this command in bash and zsh.",
      "%nFor this shell: source <(./troupe completion)"
    })
final class CompletionCommand extends CliCommand {

  @Override
  public Integer call() {
    CommandLine root = root().commandLine();
    root.getOut().println(AutoComplete.bash(root.getCommandName(), root).stripTrailing());
    return ExitCode.OK;
  }
}
