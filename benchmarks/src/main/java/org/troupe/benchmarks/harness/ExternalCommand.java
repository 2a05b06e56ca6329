package org.troupe.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program to its end, with a time limit. */
public final class ExternalCommand {

  /** More than any program needs on a slow machine. */
  private static final int MOST_MINUTES = 60;

  /** An action during the run of a program. */
  public interface Meanwhile {

    /**
     * Returns when the program has ended, or the action is over.
     *
     * @param output the file that receives the program's output
     */
    void until(Process ended, Path output) throws IOException, InterruptedException;
  }

  public static final Meanwhile NOTHING = (_, _) -> {};

  private ExternalCommand() {}

  /** Returns whether the {@code PATH} has a program of this name. */
  public static boolean isInstalled(String tool) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  /**
   * Runs a program and returns its output.
   *
   * @param name the name in messages
   * @throws IOException if it ended with another code than 0, or not in time; its output is then
   *     printed to the error stream
   */
  public static String run(String name, Path folder, List<String> command)
      throws IOException, InterruptedException {
    return run(name, folder, command, NOTHING);
  }

  /** Runs a program and an action beside it; returns the program's output. */
  static String run(String name, Path folder, List<String> command, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var output = TerminationCleanup.file(".txt"); // a full pipe would block the program
    try {
      var process =
          TerminationCleanup.start(
              new ProcessBuilder(command)
                  .directory(folder.toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(output.toFile()));
      var hasEnded = awaitEnd(process, meanwhile, output);
      var text = Files.readString(output);
      if (hasEnded && process.exitValue() == 0) {
        return text;
      }
      System.err.printf("output of %s:%n%s%n", name, text);
      throw new IOException(
          hasEnded
              ? "%s ended with exit code %d; its output is above"
                  .formatted(name, process.exitValue())
              : "%s was ended after %d minutes; its output is above".formatted(name, MOST_MINUTES));
    } finally {
      TerminationCleanup.delete(output);
    }
  }

  /**
   * Returns whether the process has ended by itself; afterwards it has ended in any case, even
   * after an interrupt.
   */
  private static boolean awaitEnd(Process process, Meanwhile meanwhile, Path output)
      throws IOException, InterruptedException {
    try {
      meanwhile.until(process, output);
      return process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    } finally {
      if (process.isAlive()) {
        process.destroy();
        JvmCommand.awaitEnd(process);
      }
      TerminationCleanup.hasEnded(process);
    }
  }
}
