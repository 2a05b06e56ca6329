package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.PythonProgram;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.RestartedObjects;

/** How long active objects are away whose node is lost. */
public final class RestartBenchmark implements Benchmark {

  private static final String ONE = RestartedObjects.SINCE_KILL + 1;
  private static final String ONE_SINCE_NEWS = RestartedObjects.SINCE_NEWS + 1;
  private static final String MANY = RestartedObjects.SINCE_KILL + 1000;
  private static final String RAY = "Ray";

  /** Ends the process of an actor, and measures until its next answer. */
  private static final PythonProgram RAY_ACTOR =
      new PythonProgram(RestartedObjects.class, "ray_restart.py", "ray", List.of("ray"));

  private static final String MILLIS = "ms";

  @Override
  public String name() {
    return "restarts";
  }

  @Override
  public String about() {
    return "active objects that are restarted on another node; a part of lifecycle";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var client = new ContenderSides(CorePinning.NONE, effort).restarts()) {
      for (var load : List.of(ONE, ONE_SINCE_NEWS)) {
        contest.add(load, () -> client.turn(load));
      }
      var missing = RAY_ACTOR.whyUnavailable();
      if (missing.isPresent()) {
        contest.markUnavailable(RAY, missing.get());
        contest.run(effort.rounds());
      } else {
        try (var ray = RAY_ACTOR.start()) {
          contest.add(RAY, ray::turn);
          contest.run(effort.rounds());
        }
      }
      var third = RowGoal.ratio(AT_MOST, 0.3);
      return List.of(
          new BenchmarkRow("restart-1", MILLIS, contest.of(ONE), null, RowGoal.ours(AT_MOST, 300)),
          contest.row("restart-1-by-ray", MILLIS, ONE, RAY, third),
          contest.row("restart-1-after-news-by-ray", MILLIS, ONE_SINCE_NEWS, RAY, third),
          many(effort));
    }
  }

  private static BenchmarkRow many(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var client = new ContenderSides(CorePinning.NONE, effort).restarts()) {
      contest.add(MANY, () -> client.turn(MANY));
      contest.run(effort.longRounds());
      return new BenchmarkRow(
          "restart-1000", MILLIS, contest.of(MANY), null, RowGoal.ours(AT_MOST, 2_000));
    }
  }
}
