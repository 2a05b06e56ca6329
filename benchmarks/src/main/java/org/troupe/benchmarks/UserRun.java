package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of a whole program, as a user starts it. */
final class UserRun {

  /** As {@code ./troupe} starts it. */
  private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED");

  private UserRun() {}

  /** What is done while a program runs. */
  interface Meanwhile {

    /**
     * Returns when the program has ended.
     *
     * @param output what the program says goes there
     */
    void until(Process ended, Path output) throws IOException, InterruptedException;
  }

  /** Runs a program that knows {@code --report}, and returns the report. */
  static String report(String main, Pinning pinning, List<?> arguments)
      throws IOException, InterruptedException {
    return report(main, pinning, List.of(), arguments, (process, output) -> process.waitFor());
  }

  /**
   * The same.
   *
   * @param options more of the JVM's
   */
  static String report(
      String main, Pinning pinning, List<String> options, List<?> arguments, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    var output = Files.createTempFile("troupe-bench", ".txt");
    try {
      List<Object> all = new ArrayList<>(arguments);
      all.addAll(List.of("--report", report));
      var command = new ArrayList<>(pinning.prefix());
      var jvmOptions = new ArrayList<>(OPTIONS);
      jvmOptions.addAll(options);
      command.addAll(Jvm.command(main, jvmOptions, all.toArray()));
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        meanwhile.until(process, output);
      } finally {
        process.destroy(); // it has ended, unless that failed
      }
      if (process.waitFor() != 0) {
        throw new IOException(
            "%s %s ended with exit code %d, having said:%n%s"
                .formatted(main, arguments, process.exitValue(), Files.readString(output)));
      }
      return Files.readString(report);
    } finally {
      Files.deleteIfExists(report);
      Files.deleteIfExists(output);
    }
  }
}
