package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.CheckpointClient;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.KeptClient.Mode;

/** The cost of keeping an object by its calls, and groups by checkpoints. */
public final class LifecycleBenchmark implements Benchmark {

  private static final String ONE_WAY = " one-way";

  @Override
  public String name() {
    return "lifecycle";
  }

  @Override
  public String about() {
    return "active objects whose calls are logged in a directory or in memory, and checkpoints of groups";
  }

  @Override
  public List<Benchmark> further() {
    return List.of(
        new MovingBenchmark(),
        new KeptObjectBenchmark(),
        new RestartBenchmark(),
        new PersistenceBenchmark(),
        new EarlierBuildBenchmark());
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE);
        var syncs = new BenchmarkContest(CorePinning.NONE);
        var images = new BenchmarkContest(CorePinning.NONE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      for (var mode : List.of(Mode.PLAIN, Mode.LOGGED, Mode.COPIED)) {
        var caller = sides.kept(mode);
        contest.add(mode.name(), caller, CalleeLoads.CALL);
        contest.add(mode + ONE_WAY, caller, CalleeLoads.ONE_WAY, micros -> 1 / micros);
      }
      contest.run(effort.rounds());
      var synced = new ContenderSides(CorePinning.NONE, effort);
      for (var mode : List.of(Mode.SYNCED, Mode.BARE_SYNC)) {
        syncs.add(mode.name(), synced.kept(mode), CalleeLoads.CALL, micros -> 1e6 / micros);
      }
      syncs.run(effort.rounds());
      var group = synced.checkpoints();
      images.add(
          CheckpointClient.CHECKPOINT,
          group,
          CheckpointClient.CHECKPOINT,
          LifecycleBenchmark::millis);
      images.add(
          CheckpointClient.BARE_FILES, () -> millis(group.turn(CheckpointClient.BARE_FILES)));
      images.add(CheckpointClient.COPIED, () -> millis(group.turn(CheckpointClient.COPIED)));
      images.add(
          CheckpointClient.BARE_CALLS, () -> millis(group.turn(CheckpointClient.BARE_CALLS)));
      images.run(effort.rounds());
      return List.of(
          contest.row(
              "logged-null-call",
              "us",
              Mode.LOGGED.name(),
              Mode.PLAIN.name(),
              RowGoal.ratio(AT_MOST, 1.15)),
          contest.row(
              "logged-one-way",
              "M/s",
              Mode.LOGGED + ONE_WAY,
              Mode.PLAIN + ONE_WAY,
              RowGoal.ratio(AT_LEAST, 0.6)),
          contest.row(
              "logged-call-copies",
              "us",
              Mode.COPIED.name(),
              Mode.PLAIN.name(),
              RowGoal.ratio(AT_MOST, 3)),
          syncs.row(
              "synced-calls-1",
              "1/s",
              Mode.SYNCED.name(),
              Mode.BARE_SYNC.name(),
              RowGoal.ratio(AT_LEAST, 0.8)),
          images.row(
              "checkpoint-2x64mib",
              "ms",
              CheckpointClient.CHECKPOINT,
              CheckpointClient.BARE_FILES,
              RowGoal.ratio(AT_MOST, 1.5)),
          images.row(
              "checkpoint-copies-2x64mib",
              "ms",
              CheckpointClient.COPIED,
              CheckpointClient.BARE_CALLS,
              RowGoal.ratio(AT_MOST, 1.5)));
    }
  }

  private static double millis(double micros) {
    return micros / 1e3;
  }
}
