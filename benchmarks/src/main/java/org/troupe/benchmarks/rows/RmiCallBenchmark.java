package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/** Calls between two JVMs over the transport {@code rmi}, against bare {@code java.rmi}. */
public final class RmiCallBenchmark implements Benchmark {

  private static final String OURS = "ours";
  private static final String BARE = "bare";

  @Override
  public String name() {
    return "rmi";
  }

  @Override
  public String about() {
    return "a null call between two JVMs, against bare java.rmi over its default sockets";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    return List.of(
        row("rmi-null-call", CorePinning.ONE_CORE, RowGoal.ratio(AT_MOST, 1.2), effort),
        row("rmi-null-call-free", CorePinning.NONE, null, effort));
  }

  private static BenchmarkRow row(
      String name, CorePinning pinning, @Nullable RowGoal goal, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var sides = new ContenderSides(pinning, effort);
    try (var contest = new BenchmarkContest(pinning)) {
      contest.add(OURS, sides.troupe("rmi"), CalleeLoads.CALL);
      contest.add(BARE, sides.bareRmi(), CalleeLoads.CALL);
      contest.run(effort.rounds());
      return contest.row(name, "us", OURS, BARE, goal);
    }
  }
}
