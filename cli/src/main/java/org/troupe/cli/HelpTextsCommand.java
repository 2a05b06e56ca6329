package org.troupe.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.troupe.cli.command.CliCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code help-texts}: writes what {@code --help} and {@code completion} print into files. */
@Command(
    name = "help-texts",
    hidden = true,
    description = "Writes the help of all verbs, and the completion, as files into a folder.")
final class HelpTextsCommand extends CliCommand {

  /*
   * Help without a JVM. A JVM with picocli takes 0.4 s to print a text that never changes, so dist/assemble, and in a
   * checkout the training run after a build, runs this verb once, and the script prints the files. 'plain/troupe.site.add' is
   * the output of 'troupe site add --help', 'styled/troupe.site.add' its output on a terminal. A verb that passes --help on to
   * a program has no file, and the script starts a JVM for a verb without a file.
   */

  @Parameters(paramLabel = "DIR", description = "The folder, which is made if it does not exist.")
  private Path folder;

  @Override
  public Integer call() {
    var root = root().commandLine();
    try {
      write(root, "plain", Ansi.OFF);
      write(root, "styled", Ansi.ON);
      Files.writeString(folder.resolve("completion"), CompletionCommand.script(root));
    } catch (IOException e) {
      throw wrong("cannot write to '" + folder + "': " + e.getMessage(), e);
    }
    return ExitCode.OK;
  }

  /** Writes the help of a command and of its verbs. */
  private void write(CommandLine command, String style, Ansi ansi) throws IOException {
    var spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    if (hasHelp(spec)) {
      var texts = Files.createDirectories(folder.resolve(style));
      Files.writeString(texts.resolve(spec.qualifiedName(".")), command.getUsageMessage(ansi));
    }
    for (var verb : command.getSubcommands().values()) {
      write(verb, style, ansi);
    }
  }

  private static boolean hasHelp(CommandSpec command) {
    return command.options().stream().anyMatch(OptionSpec::usageHelp);
  }
}
