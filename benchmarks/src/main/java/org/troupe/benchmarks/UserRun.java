package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of a whole program, as a user starts it. */
final class UserRun {

  /**
   * What {@code ./troupe} gives a program that computes; its cache of classes and its small heap in
   * the beginning, which only a start notices, are not here.
   */
  private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED");

  private UserRun() {}

  /** Runs a program that knows {@code --report}, and returns the report. */
  static String report(String main, Pinning pinning, List<?> arguments)
      throws IOException, InterruptedException {
    return report(main, pinning, List.of(), arguments, Command.NOTHING);
  }

  /**
   * The same.
   *
   * @param options more of the JVM's
   */
  static String report(
      String main,
      Pinning pinning,
      List<String> options,
      List<?> arguments,
      Command.Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    try {
      List<Object> all = new ArrayList<>(arguments);
      all.addAll(List.of("--report", report));
      var command = new ArrayList<>(pinning.prefix());
      var jvmOptions = new ArrayList<>(OPTIONS);
      jvmOptions.addAll(options);
      command.addAll(Jvm.command(main, jvmOptions, all.toArray()));
      Command.said(main + " " + arguments, Path.of("."), command, meanwhile);
      return Files.readString(report);
    } finally {
      Files.deleteIfExists(report);
    }
  }
}
