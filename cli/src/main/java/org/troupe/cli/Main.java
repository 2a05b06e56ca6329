package org.troupe.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.troupe.cli.command.FailureReport;
import org.troupe.cli.command.HelpOption;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.UsageError;
import org.troupe.cli.command.VersionText;
import org.troupe.cli.descriptor.ConvertCommand;
import org.troupe.cli.descriptor.DeployCommand;
import org.troupe.cli.descriptor.DoctorCommand;
import org.troupe.cli.descriptor.HoldCommand;
import org.troupe.cli.descriptor.PlanCommand;
import org.troupe.cli.descriptor.SchemaCommand;
import org.troupe.cli.descriptor.ValidateCommand;
import org.troupe.cli.launch.BenchCommand;
import org.troupe.cli.launch.ExplainCommand;
import org.troupe.cli.launch.IbisServerCommand;
import org.troupe.cli.launch.RunCommand;
import org.troupe.cli.launch.SatinRun;
import org.troupe.cli.launch.SatincCommand;
import org.troupe.cli.observe.ActCommand;
import org.troupe.cli.observe.CancelCommand;
import org.troupe.cli.observe.CleanCommand;
import org.troupe.cli.observe.DashboardCommand;
import org.troupe.cli.observe.FuturesCommand;
import org.troupe.cli.observe.LogsCommand;
import org.troupe.cli.observe.ObjectsCommand;
import org.troupe.cli.observe.ObserveCommand;
import org.troupe.cli.observe.PsCommand;
import org.troupe.cli.observe.RecordCommand;
import org.troupe.cli.observe.ReportCommand;
import org.troupe.cli.observe.StackCommand;
import org.troupe.cli.observe.StatusCommand;
import org.troupe.cli.observe.TopCommand;
import org.troupe.cli.observe.TrafficCommand;
import org.troupe.cli.project.InitCommand;
import org.troupe.cli.site.SiteCommand;
import org.troupe.cli.terminal.TerminalWriter;
import org.troupe.deployment.files.StandardOutput;
import org.troupe.deployment.site.RemoteTroupe;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code troupe}: its entry point, verbs and common options. */
@Command(
    name = "troupe",
    description = "Grid programming in plain Java.%n",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    optionListHeading = "Options:%n",
    versionProvider = VersionText.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the program failed; its own exit code stands",
      "2:the command line or the descriptor is wrong, or there is no run to ask",
      "3:the nodes could not be started",
      "4:with '-o -', what was printed lacks a part",
      "126, 127:Troupe could not be built; there is no JDK or Maven"
    })
public final class Main implements Runnable {

  /** Verbs that need all the others. */
  private static final List<String> OF_ALL_VERBS = List.of("completion", "man", "help-texts");

  /** The verb that moves the cursor, and cleans the texts that it shows itself. */
  private static final Optional<String> DRAWING = Optional.of("top");

  /** The commands behind the verbs, in the order of the help. */
  private static final List<Class<?>> VERBS =
      List.of(
          RunCommand.class,
          ValidateCommand.class,
          PlanCommand.class,
          SiteCommand.class,
          DoctorCommand.class,
          DeployCommand.class,
          HoldCommand.class,
          StatusCommand.class,
          TopCommand.class,
          DashboardCommand.class,
          ReportCommand.class,
          ObjectsCommand.class,
          FuturesCommand.class,
          TrafficCommand.class,
          ObserveCommand.class,
          ActCommand.class,
          RecordCommand.class,
          LogsCommand.class,
          StackCommand.class,
          CancelCommand.class,
          PsCommand.class,
          CleanCommand.class,
          ExplainCommand.class,
          SchemaCommand.class,
          ConvertCommand.class,
          InitCommand.class,
          SatincCommand.class,
          BenchCommand.class,
          IbisServerCommand.class,
          CompletionCommand.class,
          ManCommand.class,
          HelpTextsCommand.class);

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Prints the version of Troupe and of the JVM.")
  private boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Prints the whole stack trace of a failure.")
  private boolean verbose;

  private Main() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    SatinRun.deleteWovenAtTheEnd();
    OtherMachine.differentVersion(System.getenv(RemoteTroupe.CALLER_VERSION))
        .ifPresent(System.err::println);
    int exitCode = execute(writer(System.out), writer(System.err), arguments);

    // A program that has returned from main continues while its threads run, and may print.
    if (!verb(arguments).equals(Optional.of("run"))) {
      exitCode = StandardOutput.checked(exitCode);
    }
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  private static Optional<CommandLine> subcommand(CommandLine command, String verb) {
    return Optional.ofNullable(command.getSubcommands().get(verb));
  }

  /**
   * Adds the verbs. If the first argument is a verb, only that one is needed, and the others would
   * take a quarter of the time of a short command.
   */
  private static CommandLine withVerbs(CommandLine command, String... arguments) {
    List<Class<?>> named =
        VERBS.stream()
            .filter(each -> arguments.length > 0 && name(each).equals(arguments[0]))
            .toList();
    boolean isEnough = named.size() == 1 && !OF_ALL_VERBS.contains(arguments[0]);
    (isEnough ? named : VERBS).forEach(command::addSubcommand);
    return command;
  }

  private static String name(Class<?> verb) {
    return verb.getAnnotation(Command.class).name();
  }

  /** Runs a command line, and returns its exit code. */
  public static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    Main main = new Main();
    CommandLine command = withVerbs(new CommandLine(main), arguments);
    setHeadings(command);
    for (String verb : List.of("run", "bench", "ibis-server")) {
      // The program's arguments begin with the first one that is not an option of the verb.
      subcommand(command, verb)
          .ifPresent(
              each -> each.setStopAtPositional(true).setUnmatchedOptionsArePositionalParams(true));
    }
    subcommand(command, "run")
        .ifPresent(
            run ->
                run.getHelpSectionMap()
                    .put(UsageMessageSpec.SECTION_KEY_FOOTER, _ -> RunCommand.applications()));
    Optional<String> verb = verb(arguments);
    command
        .setOut(verb.equals(DRAWING) ? out : new TerminalWriter(out))
        .setErr(new TerminalWriter(err))
        .setExpandAtFiles(false) // a program's argument may begin with '@'
        .setParameterExceptionHandler(UsageError::report)
        .setExecutionStrategy(parsed -> OtherMachine.execute(parsed, arguments))
        .setExecutionExceptionHandler(
            (failure, failed, _) -> FailureReport.report(failure, main.verbose, failed.getErr()));
    if (verb.isPresent() && !command.getSubcommands().containsKey(verb.get())) {
      // The requested help would hide the mistake.
      return UsageError.report(
          new UnmatchedArgumentException(command, List.of(verb.get())), arguments);
    }
    return command.execute(arguments);
  }

  private static void setHeadings(CommandLine command) {
    for (CommandLine verb : command.getSubcommands().values()) {
      verb.getCommandSpec()
          .usageMessage()
          .parameterListHeading("%n")
          .optionListHeading("%nOptions:%n");
      setHeadings(verb);
    }
  }

  private static Optional<String> verb(String... arguments) {
    return Stream.of(arguments).filter(each -> !each.startsWith("-")).findFirst();
  }

  /** Reports that the verb is missing. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "the verb is missing; choose from " + UsageError.verbs(spec));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, stream.charset());
  }
}
