package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of a whole program, as a user starts it. */
public final class ProgramRun {

  /**
   * What {@code ./troupe} gives a program that computes; its cache of classes and its small heap in
   * the beginning, which only a start notices, are not here.
   */
  private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED");

  private ProgramRun() {}

  /** Runs a program that knows {@code --report}, and returns the report. */
  public static String report(String main, CorePinning pinning, List<?> arguments)
      throws IOException, InterruptedException {
    return report(main, pinning, List.of(), arguments, ExternalCommand.NOTHING);
  }

  /**
   * The same.
   *
   * @param options more of the JVM's
   */
  static String report(
      String main,
      CorePinning pinning,
      List<String> options,
      List<?> arguments,
      ExternalCommand.Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    try {
      List<Object> all = new ArrayList<>(arguments);
      all.addAll(List.of("--report", report));
      var command = new ArrayList<>(pinning.prefix());
      var jvmOptions = new ArrayList<>(OPTIONS);
      jvmOptions.addAll(options);
      command.addAll(JvmCommand.command(main, jvmOptions, all.toArray()));
      ExternalCommand.said(main + " " + arguments, Path.of("."), command, meanwhile);
      return Files.readString(report);
    } finally {
      Files.deleteIfExists(report);
    }
  }
}
