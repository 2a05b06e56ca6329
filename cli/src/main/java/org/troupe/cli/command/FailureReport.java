package org.troupe.cli.command;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.activeobjects.UnsuitableClassException;
import org.troupe.cli.program.JavaProgram;
import org.troupe.cli.program.ProgramException;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.files.FileWriteException;
import org.troupe.deployment.runs.InternalFaultException;
import org.troupe.deployment.runs.MissingResultException;
import org.troupe.deployment.runs.RefusedRequestException;
import org.troupe.deployment.runs.SilentProgramException;
import org.troupe.descriptors.DescriptorException;
import picocli.CommandLine.ExitCode;

/**
 * Reports the failure of a verb or a program, and chooses the exit code.
 *
 * <p>Of a failure whose message has the remedy, only the message is printed, with the lines of the
 * program that led to it if the program called Troupe in a wrong way. Of a mistake of Troupe, it
 * says so. A program's own exception is printed as the JVM prints it, without the frames of this
 * command below its {@code main}. With {@code --verbose} every failure prints its whole trace.
 */
public final class FailureReport {

  public static final int DEPLOYMENT = 3;

  private FailureReport() {}

  public static int report(Throwable failure, boolean verbose, PrintWriter err) {
    Throwable cause = failure instanceof ProgramException program ? program.thrown() : failure;
    if (verbose) {
      cause.printStackTrace(err);
      if (cause instanceof DeploymentException deployment) {
        deployment.problems().forEach(err::println); // the message may have the first ones only
      }
    } else if (isSelfExplanatory(cause)) {
      err.println(cause.getMessage());
      if (failure instanceof ProgramException) {
        cutBelowMain(cause);
        ProgramMistake.line(cause).ifPresent(each -> print(each, err));
      }
    } else if (failure instanceof ProgramException) {
      cutBelowMain(cause);
      ProgramMistake.of(cause).ifPresentOrElse(each -> print(each, err), () -> trace(cause, err));
    } else if (isInternalFault(cause)) {
      err.println(
          "troupe: an internal fault of Troupe: "
              + chain(cause)
              + "; '--verbose' prints the stack trace, with which this is to be reported");
    } else {
      err.println("troupe: " + chain(cause) + "; '--verbose' shows where");
    }
    err.flush();
    return exitCode(cause);
  }

  private static void print(ProgramMistake mistake, PrintWriter err) {
    err.println(mistake.sentence());
    mistake.place().forEach(each -> print(each, err));
  }

  private static void print(StackTraceElement frame, PrintWriter err) {
    err.println("\tat " + frame);
  }

  private static void trace(Throwable failure, PrintWriter err) {
    err.print("Exception in thread \"main\" ");
    failure.printStackTrace(err);
  }

  private static boolean isSelfExplanatory(Throwable failure) {
    return failure instanceof DescriptorException
        || failure instanceof DeploymentException
        || failure instanceof NodesMissingException
        || failure instanceof SilentProgramException
        || failure instanceof RefusedRequestException
        || failure instanceof InternalFaultException
        || failure instanceof MissingResultException
        || failure instanceof FileWriteException
        || failure instanceof UnsuitableClassException;
  }

  /**
   * Returns whether a failure of a verb is a mistake of Troupe. Refusals of a verb, and failures of
   * the machine, have other exceptions; a wrong setting may be an {@link IllegalArgumentException}.
   */
  private static boolean isInternalFault(Throwable failure) {
    return failure instanceof AssertionError
        || failure instanceof RuntimeException
            && !(failure instanceof UncheckedIOException)
            && failure.getClass() != IllegalArgumentException.class;
  }

  private static int exitCode(Throwable failure) {
    return switch (failure) {
      case DescriptorException _ -> ExitCode.USAGE;
      case RefusedRequestException refused ->
          refused.isOfRun() ? ExitCode.SOFTWARE : ExitCode.USAGE;
      case DeploymentException _ -> DEPLOYMENT;
      case NodesMissingException _ -> DEPLOYMENT;
      default -> ExitCode.SOFTWARE;
    };
  }

  /** Returns the messages of a failure and its causes, in one line. */
  private static String chain(Throwable failure) {
    StringBuilder chain = new StringBuilder(failure.toString());
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      chain.append(", because of ").append(cause);
    }
    return chain.toString();
  }

  /** Removes the frames of this command from the traces. */
  private static void cutBelowMain(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      each.setStackTrace(aboveMain(each.getStackTrace()));
      for (Throwable suppressed : each.getSuppressed()) {
        cutBelowMain(suppressed);
      }
    }
  }

  private static StackTraceElement[] aboveMain(StackTraceElement[] trace) {
    List<String> names = Arrays.stream(trace).map(StackTraceElement::getClassName).toList();
    int end = names.indexOf(JavaProgram.class.getName());
    if (end < 0) {
      return trace; // a trace of another thread
    }
    while (end > 0 && names.get(end - 1).contains(".reflect.")) {
      end--;
    }
    return Arrays.copyOf(trace, end);
  }
}
