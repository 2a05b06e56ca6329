package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** A run of a whole program, as a user starts it. */
final class UserRun {

  /** As {@code ./troupe} starts it. */
  private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED");

  private UserRun() {}

  /** Runs a program that knows {@code --report}, and returns the report. */
  static String report(String main, Pinning pinning, List<?> arguments)
      throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    var output = Files.createTempFile("troupe-bench", ".txt");
    try {
      List<Object> all = new ArrayList<>(arguments);
      all.addAll(List.of("--report", report));
      var command = new ArrayList<>(pinning.prefix());
      command.addAll(Jvm.command(main, OPTIONS, all.toArray()));
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
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
