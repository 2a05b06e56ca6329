package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.ProgramRun;

/**
 * What a run of the whole solver, as a user starts it, says of itself.
 *
 * @param millisPerStep of the time loop, in its second half, when it is compiled; of all of it if
 *     there were too few steps
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

  static final String SOLVER = "org.troupe.em3d.cli.Main";

  /**
   * Runs it.
   *
   * @param options more of the command line
   */
  static SolverRun of(String mesh, int jvms, int steps, String... options)
      throws IOException, InterruptedException {
    var arguments =
        new ArrayList<Object>(List.of("--mesh", mesh, "--jvms", jvms, "--steps", steps));
    arguments.addAll(List.of("--threads", 1)); // as a rank of MPI has one
    arguments.addAll(List.of(options));
    return of(ProgramRun.report(SOLVER, CorePinning.NONE, arguments));
  }

  static SolverRun of(String report) throws IOException {
    var millisPerStep =
        RunPace.of(report).ofSecondHalf().orElse(number("secondsPerStep", report) * 1e3);
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
