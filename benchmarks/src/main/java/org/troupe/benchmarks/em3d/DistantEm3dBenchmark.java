package org.troupe.benchmarks.em3d;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AWAY_FROM_ONE_AT_MOST;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.harness.SlowNetwork;

/**
 * A step of the solver on two clusters with and without a network delay, against a model of the
 * step.
 */
public final class DistantEm3dBenchmark implements Benchmark {

  /*
   * The delay is switched within one run, so that both sides of a ratio are the same warm JVMs seconds
   * apart; the speed of the machine may change within a minute. A turn counts once the connections have
   * adapted to its delay: TCP with bbr uses the shortest round trip of the last ten seconds, and sends
   * too little at a time until those of the previous turn have expired.
   *
   * The part of a delay that computation cannot hide: with shorter turns a step took 205 and 206 ms at
   * 100 ms of delay, 1.02 and 1.05 times the model's two delays per step, and 89 and 91 ms at 40 ms
   * (1.06 and 1.08). At 10 ms such turns showed 0.92, 1.06 and once 1.49 of the model, presumably
   * because of bbr (c377dd4, 2026-11-22).
   */
  private static final int TURN_MILLIS = 17_000;

  private static final int SETTLING_MILLIS = 11_000;

  /** The first part of the run, in which the vector kernels of all nodes are compiled. */
  private static final double COLD_PART = 1.0 / 4;

  private static final String UNIT = "ms/step";
  private static final int POINTS = 65;
  private static final int STEPS = 10_000;
  private static final int FEWER_STEPS = 4_000;
  private static final int KERNEL_STEPS = 100;

  /**
   * In milliseconds: a delay that a step hides, one that it may hide, and one that it cannot hide.
   */
  private static final List<Integer> DELAYS = List.of(10, 40, 100);

  private static final int JUDGED = 10;
  private static final List<Integer> FEWER_DELAYS = List.of(JUDGED);
  private static final RowGoal AS_PREDICTED = RowGoal.ratio(AWAY_FROM_ONE_AT_MOST, 0.15);

  private static final String NEAR = "near-";
  private static final String FAR = "far-";
  private static final String MEASURED = "measured-";
  private static final String PREDICTED = "predicted-";
  private static final String KERNEL = "kernel";

  private final RoundSamples samples = new RoundSamples();

  /** A period with one delay, in milliseconds since 1970. */
  private record Turn(int delay, long from, long to) {}

  @Override
  public String name() {
    return "em3d-far";
  }

  @Override
  public String about() {
    return "a step of the solver on two clusters of a test grid, with and without delay";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var unavailability = SlowNetwork.whyUnavailable();
    if (unavailability.isPresent()) {
      return List.of(
          BenchmarkRow.unmeasured("em3d-far-" + JUDGED, UNIT, null, unavailability.get()));
    }
    var steps = effort.isQuick() ? FEWER_STEPS : STEPS;
    var delays = effort.isQuick() ? FEWER_DELAYS : DELAYS;
    samples.add(KERNEL, Em3dBenchmark.kernels(POINTS, 2, KERNEL_STEPS));
    List<Turn> turns = new ArrayList<>();
    try (var link = SlowNetwork.ofClusters()) {
      var report =
          link.report(
              SolverRun.SOLVER,
              List.of("--mesh", "cube:" + POINTS, "--steps", steps, "--threads", 1),
              (process, output) -> takeTurns(link, delays, process, output, turns));
      samples.add(KERNEL, Em3dBenchmark.kernels(POINTS, 2, KERNEL_STEPS));
      sample(RunPace.of(report), turns);
      return rows(delays);
    }
  }

  private static void takeTurns(
      SlowNetwork link, List<Integer> delays, Process process, Path output, List<Turn> turns)
      throws IOException, InterruptedException {
    while (!Files.readString(output).contains("step ")) { // a delay would disturb the start
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    for (var turn = 0; process.isAlive(); turn++) {
      var delay = turn % 2 == 0 ? 0 : delays.get(turn / 2 % delays.size());
      link.delay(delay);
      var from = System.currentTimeMillis() + SETTLING_MILLIS;
      process.waitFor(TURN_MILLIS, TimeUnit.MILLISECONDS);
      turns.add(new Turn(delay, from, System.currentTimeMillis()));
    }
  }

  /** Samples each turn with a delay against the turn before it, which had none. */
  private void sample(RunPace pace, List<Turn> turns) {
    var warm = pace.millisAt(COLD_PART);
    for (var i = 1; i < turns.size(); i += 2) {
      var near = millisPerStep(pace, turns.get(i - 1));
      var far = millisPerStep(pace, turns.get(i));
      if (turns.get(i - 1).from() >= warm && near.isPresent() && far.isPresent()) {
        sample(turns.get(i).delay(), near.getAsDouble(), far.getAsDouble());
      }
    }
  }

  private void sample(int delay, double near, double far) {
    samples.add(NEAR + delay, near);
    samples.add(FAR + delay, far);
    samples.add(MEASURED + delay, far / near);
    samples.add(PREDICTED + delay, predicted(near, delay) / near);
  }

  private static OptionalDouble millisPerStep(RunPace pace, Turn turn) {
    return pace.millisPerStep(turn.from(), turn.to());
  }

  private double predicted(double near, int delay) {
    var kernel = Math.min(samples.measured(KERNEL).median(), near);
    var cells = 6 * Math.pow(POINTS - 1, 3);
    return StepTimeModel.fitted(kernel * 1e6 / (cells / 2), POINTS, near - kernel)
        .withLatencyMicros(delay * 1e3)
        .millisPerStep(POINTS, 2);
  }

  private List<BenchmarkRow> rows(List<Integer> delays) {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var delay : delays) {
      var name = "em3d-far-" + delay;
      var near = samples.of(NEAR + delay);
      if (near == null) {
        rows.add(BenchmarkRow.unmeasured(name, UNIT, null, "the run was over too soon"));
        continue;
      }
      rows.add(new BenchmarkRow(name, UNIT, samples.of(FAR + delay), near, null));
      rows.add(
          new BenchmarkRow(
              name + "-by-model",
              "-",
              samples.of(MEASURED + delay),
              samples.of(PREDICTED + delay),
              delay == JUDGED ? AS_PREDICTED : null,
              "kernel: %.1f ms/step".formatted(samples.measured(KERNEL).median())));
    }
    return rows;
  }
}
