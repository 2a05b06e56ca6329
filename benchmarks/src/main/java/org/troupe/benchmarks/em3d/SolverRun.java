package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.troupe.benchmarks.harness.ProgramRun;

/**
 * The figures of a run of the whole solver, which was started as a user starts it.
 *
 * @param millisPerStep the milliseconds of a step in the second half of the time loop, when it is
 *     compiled; of the whole loop if it has too few steps
 * @param waitMillisPerStep the part of a step spent waiting for neighbours, as a mean over
 *     sub-domains
 * @param bytesPerStep the bytes sent by all sub-domains
 * @param bytesPerCell the peak resident bytes of all JVMs, including the launcher
 * @param nodeBytesPerCell the peak resident bytes of the nodes alone
 * @param kernel the description of the inner loops, which are scalar in short runs
 */
record SolverRun(
    double millisPerStep,
    double waitMillisPerStep,
    double bytesPerStep,
    double bytesPerCell,
    double nodeBytesPerCell,
    String kernel) {

  static final String SOLVER = "org.troupe.em3d.cli.Main";

  /**
   * Runs the solver.
   *
   * @param options further options of its command line
   */
  static SolverRun of(String mesh, int jvms, int steps, String... options)
      throws IOException, InterruptedException {
    var arguments =
        new ArrayList<Object>(List.of("--mesh", mesh, "--jvms", jvms, "--steps", steps));
    arguments.addAll(List.of("--threads", 1)); // like a rank of MPI
    arguments.addAll(List.of(options));
    return of(ProgramRun.report(SOLVER, arguments));
  }

  static SolverRun of(String report) throws IOException {
    var millisPerStep =
        RunPace.of(report).ofSecondHalf().orElse(number("secondsPerStep", report) * 1e3);
    return new SolverRun(
        millisPerStep,
        millisPerStep * number("haloWaitFraction", report),
        number("haloBytesPerStep", report),
        number("peakRssBytes", report) / number("cells", report),
        number("nodesPeakRssBytes", report) / number("cells", report),
        kernel(report));
  }

  private static String kernel(String report) throws IOException {
    var found = Pattern.compile("\"kernel\"\\s*:\\s*\"([^\"]*)\"").matcher(report);
    if (!found.find()) {
      throw new IOException("the solver's report has no kernel");
    }
    return found.group(1).replace(',', ';'); // for notes in CSV
  }

  private static double number(String name, String report) throws IOException {
    return numberIfAny(name, report)
        .orElseThrow(() -> new IOException("the solver's report has no " + name));
  }

  /** Returns a number of the solver's report; empty if the report has none of this name. */
  static OptionalDouble numberIfAny(String name, String report) {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*([-+.0-9eE]+)").matcher(report);
    return found.find()
        ? OptionalDouble.of(Double.parseDouble(found.group(1)))
        : OptionalDouble.empty();
  }
}
