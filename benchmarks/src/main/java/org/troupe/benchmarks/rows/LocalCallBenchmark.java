package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.ABOVE;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.LocalCalls;

/** Calls inside one JVM, against the JDK's single-thread executor. */
public final class LocalCallBenchmark implements Benchmark {

  private static final List<String> OPTIONS =
      Stream.concat(Stream.of("-Xmx1g"), JvmCommand.TROUPE_OPTIONS.stream()).toList();

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String about() {
    return "calls inside one JVM, against an executor of one virtual thread";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var wait = RowGoal.ours(AT_MOST, 1);
    return List.of(
        row("call-and-wait", "us", CorePinning.NONE, LocalCalls.Call.WAIT, wait, effort),
        row(
            "call-and-wait-one-core",
            "us",
            CorePinning.ONE_CORE,
            LocalCalls.Call.WAIT,
            wait,
            effort),
        row("ask-and-join", "us", CorePinning.NONE, LocalCalls.Call.ASK, null, effort),
        row(
            "one-way",
            "million/s",
            CorePinning.NONE,
            LocalCalls.Call.ONE_WAY,
            RowGoal.ours(ABOVE, 10),
            effort));
  }

  private static BenchmarkRow row(
      String name,
      String unit,
      CorePinning pinning,
      LocalCalls.Call kind,
      @Nullable RowGoal goal,
      MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(pinning)) {
      for (var by : LocalCalls.Side.values()) {
        contest.add(by.name(), start(pinning, kind, by, effort));
      }
      contest.run(effort.rounds());
      return contest.row(
          name, unit, LocalCalls.Side.ACTIVE_OBJECT.name(), LocalCalls.Side.EXECUTOR.name(), goal);
    }
  }

  private static ContenderProcess start(
      CorePinning pinning, LocalCalls.Call kind, LocalCalls.Side by, MeasurementEffort effort)
      throws IOException {
    return ContenderProcess.start(
        LocalCalls.class, pinning, OPTIONS, kind, by, effort.roundMillis());
  }
}
