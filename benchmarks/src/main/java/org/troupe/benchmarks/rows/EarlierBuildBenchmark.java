package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.EarlierBuild;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides.UnusedFeatures;

/** The cost of moving, keeping and collecting where they are not used, against an earlier build. */
public final class EarlierBuildBenchmark implements Benchmark {

  private static final String OURS = "ours";
  private static final String EARLIER = "earlier";

  @Override
  public String name() {
    return "earlier-build";
  }

  @Override
  public String about() {
    return "calls and idle objects, against an earlier build; a part of lifecycle";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var missing = EarlierBuild.whyUnavailable();
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var each : UnusedFeatures.values()) {
      var goal = RowGoal.ratio(AT_MOST, each == UnusedFeatures.IDLE_HEAP ? 1 : 1.02);
      rows.add(
          missing.isPresent()
              ? BenchmarkRow.unmeasured(each.row(), each.unit(), goal, missing.get())
              : row(each, goal, EarlierBuild.named().orElseThrow(), effort));
    }
    return rows;
  }

  private static BenchmarkRow row(
      UnusedFeatures what, RowGoal goal, EarlierBuild earlier, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var pinning = what == UnusedFeatures.IDLE_HEAP ? CorePinning.NONE : CorePinning.ONE_CORE;
    try (var contest = new BenchmarkContest(pinning);
        var ours = what.start(pinning, effort);
        var before = what.start(pinning, effort, earlier)) {
      if (what == UnusedFeatures.IDLE_HEAP) {
        contest.add(OURS, ours::turn);
        contest.add(EARLIER, before::turn);
        contest.run(effort.longRounds());
      } else {
        contest.add(OURS, ours, what.load());
        contest.add(EARLIER, before, what.load());
        contest.run(effort.rounds());
      }
      return contest.row(what.row(), what.unit(), OURS, EARLIER, goal);
    }
  }
}
