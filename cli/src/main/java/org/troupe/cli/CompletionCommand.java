package org.troupe.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: for shells that complete what is typed. */
@Command(
    name = "completion",
    description = {
      "Prints a script that makes bash and zsh complete this command.%n",
      "For this shell: source <(./troupe completion)"
    })
final class CompletionCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Override
  public void run() {
    CommandLine root = spec.root().commandLine();
    root.getOut().println(AutoComplete.bash(root.getCommandName(), root).stripTrailing());
  }
}
