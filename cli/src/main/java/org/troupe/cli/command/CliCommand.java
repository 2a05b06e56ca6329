package org.troupe.cli.command;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb of {@code ./troupe}: its help option, its output and its usage errors. */
public abstract class CliCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Returns a number of things in words, such as {@code 2 nodes}. */
  public static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  /**
   * Checks that an output file can be in its folder, before the work that the file is for.
   *
   * @throws ParameterException if it cannot; the message has the remedy
   */
  protected final void checkPlace(Path file) {
    if (FileCommand.isStandardOutput(file)) {
      return;
    }
    if (Files.isDirectory(file)) {
      throw wrong(
          "'%s' cannot be written, since it is a folder; name a file by -o".formatted(file));
    }
    var folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw wrong(
          "'%s' cannot be written, since there is no folder '%s'; make it, or name a file in another folder by -o"
              .formatted(file, folder));
    }
  }

  /** Returns the model of this verb. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Returns the command line whose verb this is. */
  protected final CommandSpec root() {
    return spec.root();
  }

  /** Returns a usage error, to be thrown. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns a usage error that an exception explains, to be thrown. */
  protected final ParameterException wrong(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
