package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.TerminationCleanup;

/**
 * The commands that a new user types, and the files that they write, in an empty home directory.
 */
final class FirstUse implements AutoCloseable {

  private final Path home = TerminationCleanup.folder();
  private final List<String> environment;
  private int commands;
  private int files;

  /**
   * @param javaOptions of the user's configuration
   */
  FirstUse(String... javaOptions) throws IOException {
    // Java gets the home directory from the system, not from the environment.
    environment =
        List.of(
            "env",
            "-u",
            "JAVA_HOME",
            "HOME=" + home,
            "JDK_JAVA_OPTIONS=-Duser.home=" + home + " " + String.join(" ", javaOptions),
            "RAY_USAGE_STATS_ENABLED=0"); // sends nothing
  }

  /** Writes a file in the home directory. */
  void write(String name, String text) throws IOException {
    Files.writeString(home.resolve(name), text);
    files++;
  }

  /** Runs a command in the home directory; returns the seconds that it has taken. */
  double type(String... words) throws IOException, InterruptedException {
    return typeFor("", words);
  }

  /**
   * Runs a command in the home directory; returns the seconds that it has taken.
   *
   * @param result what its output must have
   */
  double typeFor(String result, String... words) throws IOException, InterruptedException {
    var line = String.join(" ", words);
    var command = new ArrayList<>(environment);
    command.addAll(List.of(words));
    var began = System.nanoTime();
    var output = ExternalCommand.run(line, home, command);
    var seconds = (System.nanoTime() - began) / 1e9;
    commands++;
    if (!output.contains(result)) {
      throw new IOException("'%s' printed no '%s': %s".formatted(line, result, output.strip()));
    }
    return seconds;
  }

  int commands() {
    return commands;
  }

  int files() {
    return files;
  }

  @Override
  public void close() throws IOException {
    TerminationCleanup.delete(home);
  }
}
