package org.troupe.cli;

import org.troupe.cli.command.CliCommand;
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
    root.getOut().print(script(root));
    root.getOut().flush();
    return ExitCode.OK;
  }

  /** Returns the script, which ends with a line end. */
  static String script(CommandLine root) {
    return AutoComplete.bash(root.getCommandName(), root).stripTrailing() + "\n";
  }
}
