package org.troupe.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.terminal.TerminalSize;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.files.FileWriteException;
import org.troupe.deployment.site.RemoteTroupe;
import org.troupe.descriptors.Login;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * The options that let a verb run on another machine, whose programs it is about. The verb itself
 * does not notice: {@link #execute} runs instead of it.
 */
public final class OtherMachine {

  private static final String AT = "--at";
  private static final String COMMAND = "--at-command";

  private static final int FIRST_SIGNAL = 128; // a shell adds it to the number of a signal

  /** The names of the option of a {@link FileCommand} that names the file. */
  private static final List<String> OUTPUT = List.of("-o", "--output");

  @Spec(Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = AT,
      paramLabel = "HOST",
      description =
          "Runs this verb on another machine over ssh, for programs that were started there: HOST,"
              + " USER@HOST or USER@HOST:PORT.")
  private @Nullable String host;

  @Option(
      names = COMMAND,
      paramLabel = "PATH",
      description = "With --at: the command troupe there; default: looked for.")
  private @Nullable String command;

  /** Runs the verb, on another machine if its options name one. */
  public static int execute(ParseResult parsed, String... arguments) {
    var verb = parsed;
    while (verb.hasSubcommand()) {
      verb = verb.subcommand();
    }
    for (var mixin : verb.commandSpec().mixins().values()) {
      if (mixin.userObject() instanceof OtherMachine machine
          && !verb.isUsageHelpRequested()
          && (machine.host != null || machine.command != null)) {
        return machine.run(List.of(arguments));
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private int run(List<String> arguments) {
    var commandLine = verb.commandLine();
    if (host == null) {
      throw new ParameterException(
          commandLine, "'" + COMMAND + "' names the command of another machine; add '--at HOST'");
    }
    try {
      var there =
          new RemoteTroupe(
              login(host, commandLine), Optional.ofNullable(command), version(), terminal());
      var rest = withoutOptions(arguments);
      return switch (verb.userObject()) {
        case PageCommand page ->
            there.runPage(
                page.withoutOpening(rest), page::show, commandLine.getOut(), commandLine.getErr());
        case FileCommand file -> runFile(there, file, rest, commandLine);
        default -> there.run(rest, commandLine.getOut(), commandLine.getErr());
      };
    } catch (IOException e) {
      commandLine.getErr().println(verb.qualifiedName() + " --at: " + e.getMessage());
      return exitCode(e);
    }
  }

  /** Returns the exit code for a failure, which may be of the file here. */
  static int exitCode(IOException failure) {
    return failure instanceof FileWriteException ? ExitCode.SOFTWARE : FailureReport.DEPLOYMENT;
  }

  /** Runs a verb there whose file is to be here: it prints the file, and its messages as errors. */
  private int runFile(
      RemoteTroupe there, FileCommand file, List<String> arguments, CommandLine commandLine)
      throws IOException {
    var output = file.output();
    var isPrinted = FileCommand.isStandardOutput(output);
    var code =
        there.runFile(
            behindVerb(file.printing(), without(OUTPUT, arguments)),
            isPrinted ? Path.of("/dev/stdout") : output,
            commandLine.getErr(),
            ended -> {
              if (!isPrinted) {
                report(output, ended, commandLine);
              }
            },
            file.attributes());
    return code == RemoteTroupe.PARTIAL_FILE && !isPrinted ? ExitCode.SOFTWARE : code;
  }

  private void report(Path output, int code, CommandLine commandLine) {
    var out = commandLine.getOut();
    var err = commandLine.getErr();
    if (code == ExitCode.OK || code == RemoteTroupe.PARTIAL_FILE) {
      out.println("'%s' has come from %s".formatted(output, host));
    } else if (AtomicFile.isOverwritten(output)) {
      err.println("'%s' had to be overwritten, and is not whole".formatted(output));
    } else if (code >= FIRST_SIGNAL) { // other failures have been explained there
      err.println(
          "'%s' was not written, since a signal has ended the command on %s"
              .formatted(output, host));
    }
    out.flush();
    err.flush();
  }

  /** Returns arguments with options behind the verb, since what follows {@code --} is no option. */
  static List<String> behindVerb(List<String> options, List<String> arguments) {
    var verb = 0;
    while (verb < arguments.size() && arguments.get(verb).startsWith("-")) {
      verb++;
    }
    var all = new ArrayList<>(arguments);
    all.addAll(Math.min(verb + 1, all.size()), options);
    return all;
  }

  private static Login login(String text, CommandLine commandLine) {
    try {
      return LoginOptions.of(AT, text, Optional.empty(), false);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandLine, String.valueOf(e.getMessage()), e);
    }
  }

  private static Optional<String> terminal() {
    return TerminalSize.ofStandardOutput().map(size -> size.rows() + " " + size.columns());
  }

  /** Returns the arguments without these options. */
  static List<String> withoutOptions(List<String> arguments) {
    return without(List.of(AT, COMMAND), arguments);
  }

  /** Returns the arguments without some options and their values. */
  static List<String> without(List<String> options, List<String> arguments) {
    var rest = new ArrayList<String>();
    var isValue = false;
    for (var argument : arguments) {
      if (rest.contains("--")) {
        rest.add(argument);
      } else if (isValue) {
        isValue = false;
      } else if (options.contains(argument)) {
        isValue = true;
      } else if (options.stream().noneMatch(each -> hasValueOf(each, argument))) {
        rest.add(argument);
      }
    }
    return rest;
  }

  /** Returns whether an argument is an option with its value, as {@code --of=7} and {@code -ox}. */
  private static boolean hasValueOf(String option, String argument) {
    return argument.startsWith(option.startsWith("--") ? option + "=" : option);
  }

  private static String version() throws IOException {
    return new VersionText().getVersion()[0];
  }

  /**
   * Says that the caller on another machine has another version.
   *
   * @param caller its version; null if the caller is on this machine
   */
  public static Optional<String> differentVersion(@Nullable String caller) {
    try {
      return caller == null || caller.equals(version())
          ? Optional.empty()
          : Optional.of(
              "note: this is %s there, and %s here; columns and fields may differ"
                  .formatted(version(), caller));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
