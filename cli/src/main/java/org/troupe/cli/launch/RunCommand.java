package org.troupe.cli.launch;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.HelpOption;
import org.troupe.cli.command.RunSelection;
import org.troupe.cli.command.UsageError;
import org.troupe.cli.program.ClassPath;
import org.troupe.cli.program.JavaProgram;
import org.troupe.cli.program.ProgramException;
import org.troupe.deployment.runs.Hold;
import org.troupe.deployment.runs.RefusedRequestException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code run}: runs a program as {@code java} would. */
@Command(
    name = "run",
    description = {
      "Runs an application, or any program.",
      "%nThe program runs in this JVM: input, output, signals, exit code and all arguments after APP"
          + " or CLASS belong to it."
    },
    customSynopsis = {
      "troupe run [--dashboard] [--report-html] [--on ID] [--class-path PATH] APP [ARG...]",
      "troupe run [--dashboard] [--report-html] [--on ID] --class-path PATH [--main CLASS] [ARG...]",
      "troupe run --model mpj --ranks N --class-path PATH [--main CLASS] [ARG...]",
      "troupe run --model satin [--jvms N | --grid FILE] --class-path PATH [--main CLASS] [ARG...]"
    },
    footerHeading = "%nApplications:%n")
public final class RunCommand implements Callable<Integer> {

  private static final String DASHBOARD = "troupe.dashboard";

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Mixin private ClassPath classPath;

  @Mixin private ModelOptions model;

  @Option(
      names = "--dashboard",
      description =
          "Serves a page that shows the run while it lasts, and prints its address, which has secrets;"
              + " without a terminal, the name of a file with the address.")
  private boolean hasDashboard;

  @Option(
      names = "--report-html",
      description =
          "Writes a report of each grid that the program closes, of the last four at most, also after"
              + " success, and prints where it is.")
  private boolean hasReport;

  @Option(
      names = "--on",
      paramLabel = "ID",
      description =
          "Runs on the machines of a hold: the jobs of the program's descriptor use them. See 'troupe"
              + " hold'.")
  private @Nullable String hold;

  @Option(
      names = "--main",
      paramLabel = "CLASS",
      parameterConsumer = AllThatFollows.class,
      description =
          "The class to start, unless the first jar's manifest names it; the rest are its"
              + " arguments.")
  private @Nullable List<String> mainAndArguments;

  @Parameters(
      paramLabel = "ARG",
      description = "The application, unless a class is started; then the program's arguments.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws ProgramException, InterruptedException, TimeoutException {
    JavaProgram program;
    List<String> rest = new ArrayList<>(mainAndArguments == null ? arguments : mainAndArguments);
    try {
      useHold();
      classPath.check();
      model.check();
      program = JavaProgram.of(mainClass(rest));
    } catch (IllegalArgumentException | RefusedRequestException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (hasDashboard) {
      System.setProperty(DASHBOARD, "true");
    }
    var err = spec.commandLine().getErr();
    try (var report = EndedRunReport.prepare(hasReport, err)) {
      try {
        var status = run(program, rest);
        if (status == ExitCode.OK) {
          report.ofSuccess();
        } else {
          report.atExit();
        }
        return status;
      } catch (ProgramException e) {
        report.ofFailure(e.thrown());
        throw e;
      }
    }
  }

  private int run(JavaProgram program, List<String> its)
      throws ProgramException, InterruptedException, TimeoutException {
    if (model.isGiven()) {
      return model.run(program, its);
    }
    program.run(its);
    return ExitCode.OK;
  }

  /** Lets deployments in this JVM use the machines of a hold. */
  private void useHold() {
    var id = hold;
    if (id == null) {
      return;
    }
    try {
      var named =
          RunSelection.recorded(
              id, Hold.all(), "hold", "'troupe ps' shows holds, and 'troupe hold' makes one");
      System.setProperty("troupe.on", named.id());
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns a line for each application, for the end of the help. */
  public static String applications() {
    return ApplicationList.onClassPath().list().stream()
        .map(app -> "  %-18s %s%n".formatted(app.name(), app.description()))
        .collect(joining());
  }

  /** Returns the class to start, and removes its name from the arguments. */
  private String mainClass(List<String> rest) {
    if (mainAndArguments != null) {
      return rest.removeFirst();
    }
    return classPath.mainClass().orElseGet(() -> app(rest));
  }

  /** Removes the application's name from the arguments and returns its main class. */
  private String app(List<String> rest) {
    ApplicationList apps = ApplicationList.onClassPath();
    if (rest.isEmpty() && classPath.isGiven()) {
      throw new IllegalArgumentException(
          "no class to start is named, nor does a manifest name it; write --main CLASS");
    }
    if (rest.isEmpty()) {
      throw new IllegalArgumentException("APP is missing" + apps.choice());
    }
    String name = rest.removeFirst();
    if (name.startsWith("-")) {
      throw new IllegalArgumentException(UsageError.unknownOption(name, spec));
    }
    if (name.endsWith(".jar")) {
      throw new IllegalArgumentException(
          "'%s' is no application; to run a program of your own, write --class-path %1$s"
              .formatted(name));
    }
    if (classPath.isGiven() && !apps.has(name)) {
      throw new IllegalArgumentException(
          "there is no application '%s'; to start a class of the class path, write --main %1$s"
              .formatted(name));
    }
    return apps.named(name).mainClass();
  }

  /** Passes all arguments on, so that a program may have options with the names of ours. */
  static final class AllThatFollows implements IParameterConsumer {

    @Override
    public void consumeParameters(Stack<String> left, ArgSpec option, CommandSpec command) {
      if (left.isEmpty()) {
        throw new MissingParameterException(command.commandLine(), option, "no class");
      }
      List<String> taken = new ArrayList<>();
      while (!left.isEmpty()) {
        taken.add(left.pop());
      }
      option.setValue(taken);
    }
  }
}
