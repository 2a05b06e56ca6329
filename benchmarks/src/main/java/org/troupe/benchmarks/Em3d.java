package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.BELOW;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A step of the solver, against its kernel without any middleware. */
final class Em3d implements Benchmark {

  private static final int POINTS = 65;

  /** The middleware's share of a step: below 5 % of it, so the step below 1 / 0.95 kernels. */
  private static final Goal SHARE = Goal.ratio(BELOW, 1 / (1 - 0.05));

  private static final String SOLVER = "org.troupe.em3d.Main";
  private static final Pattern SECONDS_PER_STEP =
      Pattern.compile("\"secondsPerStep\"\\s*:\\s*([-+.0-9eE]+)");

  @Override
  public String name() {
    return "em3d";
  }

  @Override
  public String about() {
    return "a step of the solver at cube:" + POINTS + ", against its kernel alone";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    return List.of(row(1, effort), row(2, effort));
  }

  private static Row row(int jvms, Effort effort) throws IOException, InterruptedException {
    var steps = effort.solverSteps();
    return Duel.fight(effort.longRounds(), () -> solver(jvms, steps), () -> kernels(jvms, steps))
        .row("em3d-" + jvms + "-jvm", "ms/step", SHARE);
  }

  /** The whole program, as a user runs it; it reports its own time per step. */
  private static double solver(int jvms, int steps) throws IOException, InterruptedException {
    var report = Files.createTempFile("troupe-bench", ".json");
    var output = Files.createTempFile("troupe-bench", ".txt");
    try {
      var process =
          new ProcessBuilder(
                  Jvm.command(
                      SOLVER,
                      List.of(),
                      "--mesh",
                      "cube:" + POINTS,
                      "--jvms",
                      jvms,
                      "--steps",
                      steps,
                      "--report",
                      report))
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
      return millisPerStep(report);
    } finally {
      Files.deleteIfExists(report);
      Files.deleteIfExists(output);
    }
  }

  private static double millisPerStep(Path report) throws IOException {
    var found = SECONDS_PER_STEP.matcher(Files.readString(report));
    if (!found.find()) {
      throw new IOException("the solver's report has no secondsPerStep");
    }
    return Double.parseDouble(found.group(1)) * 1e3;
  }

  /**
   * As many kernels as JVMs at the same time, each on its part: they share the memory's bandwidth
   * as the solver's JVMs do, but exchange nothing. The slowest counts.
   */
  private static double kernels(int jvms, int steps) throws IOException {
    List<Contender> kernels = new ArrayList<>();
    try {
      for (var rank = 0; rank < jvms; rank++) {
        kernels.add(
            Contender.start(Em3dKernel.class, Pinning.NONE, List.of(), POINTS, jvms, rank, steps));
      }
      kernels.forEach(Contender::begin);
      var slowest = 0.0;
      for (var kernel : kernels) {
        slowest = Math.max(slowest, kernel.end());
      }
      return slowest;
    } finally {
      kernels.forEach(Contender::close);
    }
  }
}
