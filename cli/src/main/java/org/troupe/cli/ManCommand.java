package org.troupe.cli;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.troupe.cli.command.CliCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code man}: writes the manual pages. */
@Command(
    name = "man",
    hidden = true,
    description = "Writes the manual pages of all verbs into a folder, as files for man(1).")
final class ManCommand extends CliCommand {

  /*
   * picocli's own generator writes AsciiDoc, of which only Asciidoctor makes manual pages: a library of 60 MB, with an
   * interpreter for Ruby, that each build would start. The pages here have the same texts of the same model.
   */

  @Parameters(paramLabel = "DIR", description = "The folder, which is made if it does not exist.")
  private Path folder;

  @Override
  public Integer call() {
    try {
      Files.createDirectories(folder);
      write(root());
      writeVerbs(root());
    } catch (IOException e) {
      throw wrong("cannot write to '" + folder + "': " + e.getMessage(), e);
    }
    return ExitCode.OK;
  }

  private void writeVerbs(CommandSpec command) throws IOException {
    for (CommandLine verb : command.subcommands().values()) {
      if (!verb.getCommandSpec().usageMessage().hidden()) {
        write(verb.getCommandSpec());
        writeVerbs(verb.getCommandSpec());
      }
    }
  }

  private void write(CommandSpec command) throws IOException {
    Files.writeString(folder.resolve(name(command) + ".1"), page(command));
  }

  /** Returns the name of a page, such as {@code troupe-run}. */
  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  static String page(CommandSpec command) {
    Help help = command.commandLine().getHelp();
    StringBuilder page = new StringBuilder();
    page.append(".TH \"%s\" 1\n".formatted(name(command).toUpperCase(Locale.ROOT)));
    List<String> description = texts(command.usageMessage().description());
    page.append(".SH NAME\n%s \\- ".formatted(escaped(name(command))));
    page.append(escaped(description.getFirst())).append('\n');
    page.append(".SH SYNOPSIS\n.nf\n");
    page.append(escaped(help.synopsis(0).strip())).append("\n.fi\n");
    page.append(".SH DESCRIPTION\n");
    description.forEach(each -> page.append(".PP\n").append(escaped(each)).append('\n'));
    if (!command.positionalParameters().isEmpty() || !command.options().isEmpty()) {
      page.append(".SH OPTIONS\n");
      command
          .positionalParameters()
          .forEach(each -> item(page, each.paramLabel(), each.description()));
      command.options().stream()
          .filter(option -> !option.hidden())
          .forEach(option -> item(page, spelled(option), option.description()));
    }
    if (!command.subcommands().isEmpty()) {
      page.append(".SH VERBS\n");
      command.subcommands().values().stream()
          .map(CommandLine::getCommandSpec)
          .filter(verb -> !verb.usageMessage().hidden())
          .forEach(verb -> item(page, verb.name(), verb.usageMessage().description()));
    }
    if (command.parent() == null) {
      page.append(".SH EXIT STATUS\n");
      command
          .usageMessage()
          .exitCodeList()
          .forEach((code, text) -> item(page, code, new String[] {text}));
    } else {
      page.append(".SH SEE ALSO\n.BR troupe (1)\n");
    }
    return page.toString();
  }

  private static void item(StringBuilder page, String title, String[] description) {
    page.append(".TP\n\\fB").append(escaped(title)).append("\\fR\n");
    page.append(texts(description).stream().map(ManCommand::escaped).collect(joining("\n.br\n")));
    page.append('\n');
  }

  private static String spelled(OptionSpec option) {
    String value = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
    return Stream.of(option.names()).collect(joining(", ")) + value;
  }

  /** Returns picocli's texts, which are formats, as paragraphs. */
  private static List<String> texts(String... formats) {
    return Arrays.stream(formats)
        .flatMap(each -> each.formatted().lines())
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /** Returns text that roff prints as it is. */
  private static String escaped(String text) {
    return text.lines()
        .map(line -> line.replace("\\", "\\e").replace("-", "\\-"))
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(joining("\n"));
  }
}
