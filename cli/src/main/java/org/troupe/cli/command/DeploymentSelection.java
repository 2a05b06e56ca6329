package org.troupe.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.deployment.runs.Hold;
import org.troupe.deployment.runs.InternalFaultException;
import org.troupe.deployment.runs.MissingResultException;
import org.troupe.deployment.runs.RecordedRun;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.runs.SilentProgramException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that selects running deployments for a verb. */
public class DeploymentSelection {

  static final String OPTION = "--of";

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = OPTION,
      paramLabel = "RUN",
      description =
          "The run: the id of its process, or its id in ps; not needed if there is only one.")
  private String id = "";

  /** Returns the id of the run; empty if none is named. */
  public String id() {
    return id;
  }

  /** Returns a usage error, to be thrown. */
  final ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Returns the selected deployment, or the only one. */
  public RunningGrid one() {
    try {
      return RunSelection.one(id(), "with '" + OPTION + "'");
    } catch (RefusedRequestException e) {
      throw wrong(e);
    }
  }

  /** Returns the hold that the option names; empty if it names none. */
  public Optional<RecordedRun> hold() throws IOException {
    var named = id();
    return Hold.all().stream().filter(each -> each.id().equals(named)).findFirst();
  }

  /** A question to a deployment. */
  @FunctionalInterface
  public interface Question<A> {
    A ask(RunningGrid grid) throws IOException;
  }

  /**
   * The answers of deployments to a question.
   *
   * @param given the answers; those of deployments that have ended meanwhile are missing
   * @param missing a message for each deployment whose program does not answer, or not as it should
   */
  public record Answers<A>(List<A> given, List<String> missing) {

    /** Prints the messages, and returns the exit code that they demand. */
    public int report(PrintWriter err) {
      missing.forEach(err::println);
      return missing.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  /** Asks the selected deployment, or all; to ask none is a mistake. */
  public <A> Answers<A> answers(Question<A> question) {
    List<A> given = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    try {
      for (RunningGrid grid : RunSelection.some(id())) {
        try {
          given.add(question.ask(grid));
        } catch (SilentProgramException | MissingResultException | InternalFaultException e) {
          missing.add(String.valueOf(e.getMessage()));
        } catch (IOException e) {
          // The deployment has ended meanwhile.
        }
      }
      if (given.isEmpty() && missing.isEmpty()) {
        throw new RefusedRequestException(RunSelection.NONE);
      }
    } catch (RefusedRequestException e) {
      throw wrong(e);
    }
    return new Answers<>(given, missing);
  }

  /**
   * Returns the usage error that an exception explains, such as for a node that does not exist; the
   * exception itself if the command was right, and could not be done.
   */
  public RuntimeException wrong(RefusedRequestException e) {
    return e.isOfRun()
        ? e
        : new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
  }
}
