package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a run of the whole solver, as a user starts it, says of itself.
 *
 * @param millisPerStep of the time loop
 * @param waitMillisPerStep the part of it spent waiting for neighbours, mean over sub-domains
 * @param bytesPerStep sent by all sub-domains
 * @param bytesPerCell resident at the most in all JVMs, the launcher's too
 * @param nodeBytesPerCell the same in those of the nodes alone
 */
record SolverRun(
    double millisPerStep,
    double waitMillisPerStep,
    double bytesPerStep,
    double bytesPerCell,
    double nodeBytesPerCell) {

  private static final String SOLVER = "org.troupe.em3d.Main";

  /** As {@code ./troupe} starts it. */
  private static final List<String> OPTIONS = List.of("--enable-native-access=ALL-UNNAMED");

  /**
   * Runs it.
   *
   * @param options more of the command line
   */
  static SolverRun of(String mesh, int jvms, int steps, String... options)
      throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    var output = Files.createTempFile("troupe-bench", ".txt");
    try {
      var arguments =
          new ArrayList<Object>(List.of("--mesh", mesh, "--jvms", jvms, "--steps", steps));
      arguments.addAll(List.of("--threads", 1, "--report", report)); // as a rank of MPI has one
      arguments.addAll(List.of(options));
      var process =
          new ProcessBuilder(Jvm.command(SOLVER, OPTIONS, arguments.toArray()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IOException(
            "the solver ended with exit code "
                + process.exitValue()
                + ", having said:\n"
                + Files.readString(output));
      }
      return of(Files.readString(report));
    } finally {
      Files.deleteIfExists(report);
      Files.deleteIfExists(output);
    }
  }

  static SolverRun of(String report) throws IOException {
    var millisPerStep = number("secondsPerStep", report) * 1e3;
    return new SolverRun(
        millisPerStep,
        millisPerStep * number("haloWaitFraction", report),
        number("haloBytesPerStep", report),
        number("peakRssBytes", report) / number("cells", report),
        number("nodesPeakRssBytes", report) / number("cells", report));
  }

  private static double number(String name, String report) throws IOException {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*([-+.0-9eE]+)").matcher(report);
    if (!found.find()) {
      throw new IOException("the solver's report has no " + name);
    }
    return Double.parseDouble(found.group(1));
  }
}
