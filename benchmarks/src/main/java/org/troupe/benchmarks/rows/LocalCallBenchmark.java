package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.LocalCalls;

/** Calls inside one JVM, against the JDK's single-thread executor and an actor of Pekko. */
public final class LocalCallBenchmark implements Benchmark {

  private static final List<String> OPTIONS =
      Stream.concat(
              // Pekko calls sun.misc.Unsafe, of which the JVM would print warnings.
              Stream.of("-Xmx1g", "--sun-misc-unsafe-memory-access=allow"),
              JvmCommand.TROUPE_OPTIONS.stream())
          .toList();

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String about() {
    return "calls inside one JVM, against an executor of one virtual thread and Pekko";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var wait = RowGoal.ours(AT_MOST, 0.2);
    var none = CorePinning.NONE;
    var rows = new ArrayList<BenchmarkRow>();
    rows.addAll(rows("call-and-wait", "us", none, LocalCalls.Call.WAIT, wait, effort));
    var pinned = CorePinning.ONE_CORE;
    rows.addAll(rows("call-and-wait-one-core", "us", pinned, LocalCalls.Call.WAIT, wait, effort));
    var ask = RowGoal.ours(AT_MOST, 1);
    rows.addAll(rows("ask-and-join", "us", none, LocalCalls.Call.ASK, ask, effort));
    var oneWay = RowGoal.ours(AT_LEAST, 20);
    rows.addAll(rows("one-way", "million/s", none, LocalCalls.Call.ONE_WAY, oneWay, effort));
    return rows;
  }

  /** Measures a call against the executor and, in the same rounds, against Pekko. */
  private static List<BenchmarkRow> rows(
      String name,
      String unit,
      CorePinning pinning,
      LocalCalls.Call kind,
      RowGoal goal,
      MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(pinning)) {
      for (var by : LocalCalls.Side.values()) {
        contest.add(by.name(), start(pinning, kind, by, effort));
      }
      contest.run(effort.rounds());
      var ours = LocalCalls.Side.ACTIVE_OBJECT.name();
      var ahead = RowGoal.ratio(kind == LocalCalls.Call.ONE_WAY ? AT_LEAST : AT_MOST, 1);
      return List.of(
          contest.row(name, unit, ours, LocalCalls.Side.EXECUTOR.name(), goal),
          contest.row(name + "-by-pekko", unit, ours, LocalCalls.Side.PEKKO.name(), ahead));
    }
  }

  private static ContenderProcess start(
      CorePinning pinning, LocalCalls.Call kind, LocalCalls.Side by, MeasurementEffort effort)
      throws IOException {
    return ContenderProcess.start(
        LocalCalls.class, pinning, OPTIONS, kind, by, effort.roundMillis());
  }
}
