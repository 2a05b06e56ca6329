package org.troupe.benchmarks.models;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;

/** Tasks that run twice, and the time that is lost, if a node dies in the middle of a tree. */
public final class LostNodeBenchmark implements Benchmark {

  private static final String SECONDS_OF_KEEP = "seconds of keep";

  @Override
  public String name() {
    return "tasks-crash";
  }

  @Override
  public String about() {
    return "tasks that run twice if one of three nodes is killed at half time; a part of models";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var runs = ModelSides.start(LostNodeRuns.class)) {
      for (var load : List.of(LostNodeRuns.UNDISTURBED, LostNodeRuns.DROP, LostNodeRuns.KEEP)) {
        contest.add(load, () -> runs.turn(load));
      }
      contest.add(SECONDS_OF_KEEP, () -> runs.turn(LostNodeRuns.SECONDS)); // follows its run
      contest.run(effort.appRounds());
      var repeated = contest.of(LostNodeRuns.KEEP);
      return List.of(
          new BenchmarkRow("tasks-crash", "%", repeated, null, RowGoal.ours(AT_MOST, 2)),
          contest.row(
              "tasks-crash-by-drop",
              "%",
              LostNodeRuns.KEEP,
              LostNodeRuns.DROP,
              RowGoal.ratio(BELOW, 1)),
          contest.row("tasks-crash-time", "s", SECONDS_OF_KEEP, LostNodeRuns.UNDISTURBED, null));
    }
  }
}
