package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a whole program as a user starts it. */
public final class ProgramRun {

  private ProgramRun() {}

  /** Runs a program that has the option {@code --report}, and returns the report. */
  public static String report(String main, List<?> arguments)
      throws IOException, InterruptedException {
    return report(main, List.of(), arguments, ExternalCommand.NOTHING);
  }

  /**
   * Runs a program that has the option {@code --report} and an action beside it; returns the
   * report.
   *
   * @param options further JVM options
   */
  static String report(
      String main, List<String> options, List<?> arguments, ExternalCommand.Meanwhile meanwhile)
      throws IOException, InterruptedException {
    var report = TerminationCleanup.file(".json");
    try {
      List<Object> all = new ArrayList<>(arguments);
      all.addAll(List.of("--report", report));
      // The class cache and the small initial heap of ./troupe affect only the start.
      var jvmOptions = new ArrayList<>(JvmCommand.TROUPE_OPTIONS);
      jvmOptions.addAll(options);
      var command = JvmCommand.command(main, jvmOptions, all.toArray());
      ExternalCommand.run(main + " " + arguments, Path.of("."), command, meanwhile);
      return Files.readString(report);
    } finally {
      TerminationCleanup.delete(report);
    }
  }
}
