package org.troupe.cli.command;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.troupe.descriptors.text.OptionValues;
import org.troupe.descriptors.text.SpellingHints;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ITypeInfo;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a mistake in a command line, in one line with the remedy. */
public final class UsageError {

  /** The options by which users may try to name a run. */
  private static final Set<String> ID_OPTIONS =
      Set.of(DeploymentSelection.OPTION, "--id", "--run", "--pid", "--on");

  /** The labels of arguments that name a run. */
  private static final Set<String> ID_ARGUMENTS = Set.of("RUN", "ID");

  private static final int PORT = 8080; // as an example

  private UsageError() {}

  public static int report(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command
        .getErr()
        .println(name + ": " + message(error, List.of(arguments)) + "; see '" + name + " --help'");
    return CommandLine.ExitCode.USAGE;
  }

  /** Returns the end of a message that suggests another word. */
  public static String hint(String candidate) {
    return "; did you mean '" + candidate + "'?";
  }

  /** Returns the verbs as a list to choose from. */
  public static String verbs(CommandSpec root) {
    return root.subcommands().keySet().stream()
        .map(verb -> "'" + verb + "'")
        .collect(joining(", "));
  }

  private static String message(ParameterException error, List<String> arguments) {
    CommandSpec command = error.getCommandLine().getCommandSpec();
    return switch (error) {
      case UnmatchedArgumentException unmatched -> {
        String argument = unmatched.getUnmatched().getFirst();
        if (unmatched.isUnknownOption()) {
          yield unknownOption(argument, command);
        }
        yield !command.subcommands().isEmpty()
            ? unknownVerb(argument, command)
            : "'" + argument + "' is one argument too many" + selection(argument, command);
      }
      case MissingParameterException missing ->
          // A misspelt option is found only after a missing argument, but explains more.
          arguments.stream()
              .takeWhile(argument -> !argument.equals("--"))
              .filter(argument -> argument.startsWith("--"))
              .filter(argument -> !command.optionsMap().containsKey(name(argument)))
              .findFirst()
              .map(option -> unknownOption(option, command))
              .orElseGet(
                  () ->
                      missing.getMissing().stream()
                              .map(each -> missing(each, arguments))
                              .collect(joining(" and "))
                          + " is missing");
      default -> mismatch(error).orElseGet(() -> String.valueOf(error.getMessage()));
    };
  }

  /**
   * Returns what is expected of a value that could not be converted, as the message of picocli
   * names types of Java; empty for another mistake.
   */
  private static Optional<String> mismatch(ParameterException error) {
    ArgSpec option = error.getArgSpec();
    if (option == null || error.getValue() == null) {
      return Optional.empty();
    }
    ITypeInfo type = option.typeInfo();
    Class<?> ofValues =
        type.isMap() || !type.isMultiValue()
            ? type.getType()
            : type.getAuxiliaryTypeInfos().getFirst().getType();
    Object usual = option.paramLabel().equals("PORT") ? PORT : option.initialValue();
    return OptionValues.mismatch(label(option), ofValues, error.getValue(), usual);
  }

  public static String unknownOption(String option, CommandSpec command) {
    String name = name(option);
    List<String> names =
        command.options().stream()
            .map(OptionSpec::longestName)
            .filter(known -> known.startsWith("--"))
            .toList();
    return "there is no option '"
        + name
        + "'"
        + argument(name, command)
            .or(() -> SpellingHints.closest(name, names).map(UsageError::hint))
            .orElse("");
  }

  /** Suggests the argument for an id, since other commands take one with an option. */
  private static Optional<String> argument(String option, CommandSpec command) {
    return ID_OPTIONS.contains(option)
        ? command.positionalParameters().stream()
            .map(ArgSpec::paramLabel)
            .filter(ID_ARGUMENTS::contains)
            .findFirst()
            .map(
                label ->
                    "; here the id is the argument %s: write '%s %s'"
                        .formatted(label, command.qualifiedName(), label))
        : Optional.empty();
  }

  /** Suggests the option for an id, since other commands take one as an argument. */
  private static String selection(String argument, CommandSpec command) {
    return command.optionsMap().containsKey(DeploymentSelection.OPTION)
            && command.positionalParameters().stream()
                .noneMatch(each -> ID_ARGUMENTS.contains(each.paramLabel()))
        ? "; to choose a deployment by its id, write '%s %s'"
            .formatted(DeploymentSelection.OPTION, argument)
        : "";
  }

  private static String name(String option) {
    return option.replaceFirst("=.*", "");
  }

  private static String unknownVerb(String verb, CommandSpec root) {
    return "there is no verb '"
        + verb
        + "'"
        + SpellingHints.closest(verb, root.subcommands().keySet())
            .map(UsageError::hint)
            .orElseGet(() -> "; choose from " + verbs(root));
  }

  /** Names an option or argument that is missing, or the value of an option that is given. */
  private static String missing(ArgSpec missing, List<String> arguments) {
    return missing instanceof OptionSpec option
            && arguments.stream().anyMatch(each -> List.of(option.names()).contains(each))
        ? "the value %s of %s".formatted(option.paramLabel(), option.longestName())
        : label(missing);
  }

  private static String label(ArgSpec missing) {
    return missing instanceof OptionSpec option ? option.longestName() : missing.paramLabel();
  }
}
