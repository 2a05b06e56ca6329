package org.troupe.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that runs to its end, or is ended. */
public final class ExternalCommand {

  /** More than any takes on a slow machine. */
  private static final int MOST_MINUTES = 60;

  /** What is done while a program runs. */
  public interface Meanwhile {

    /**
     * Returns when the program has ended, or may.
     *
     * @param output what the program says goes there
     */
    void until(Process ended, Path output) throws IOException, InterruptedException;
  }

  public static final Meanwhile NOTHING = (_, _) -> {};

  private ExternalCommand() {}

  /** Returns whether a folder of the {@code PATH} has a program of that name. */
  public static boolean isInstalled(String tool) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  /**
   * Runs one, and returns what it said.
   *
   * @param name for messages
   * @throws IOException if it ended with another code than 0, or not in time; its words are on this
   *     program's error stream then
   */
  public static String said(String name, Path folder, List<String> command)
      throws IOException, InterruptedException {
    return said(name, folder, command, NOTHING);
  }

  /** The same, with something to do beside. */
  static String said(String name, Path folder, List<String> command, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var output = Files.createTempFile("troupe-bench", ".txt"); // a pipe could not be left waiting
    try {
      var process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      var hasEnded = awaitEnd(process, meanwhile, output);
      var said = Files.readString(output);
      if (hasEnded && process.exitValue() == 0) {
        return said;
      }
      System.err.printf("%s said:%n%s%n", name, said);
      throw new IOException(
          hasEnded
              ? "%s ended with exit code %d; its own words are above"
                  .formatted(name, process.exitValue())
              : "%s was ended after %d minutes; its own words are above"
                  .formatted(name, MOST_MINUTES));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Returns whether it has ended by itself; it has ended in any case, and if interrupted. */
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
    }
  }
}
