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
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.KeptHere;
import org.troupe.benchmarks.sides.SleepingClient;
import org.troupe.benchmarks.sides.SyncedCallers;

/** Images, replays, sleep and synced logs of kept objects. */
public final class KeptObjectBenchmark implements Benchmark {

  @Override
  public String name() {
    return "kept-objects";
  }

  @Override
  public String about() {
    return "images, replays, sleep and synced logs of kept objects; a part of lifecycle";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var free = new ContenderSides(CorePinning.NONE, effort);
    var pinned = new ContenderSides(CorePinning.ONE_CORE, effort);
    try (var here = new BenchmarkContest(CorePinning.NONE);
        var sleep = new BenchmarkContest(CorePinning.ONE_CORE);
        var synced = new BenchmarkContest(CorePinning.NONE);
        var kept = free.keptHere()) {
      for (var load :
          List.of(KeptHere.IMAGE_PAUSE, KeptHere.ENCODING, KeptHere.SERVED, KeptHere.REPLAYED)) {
        here.add(load, () -> kept.turn(load)); // a turn is long, and warms up by itself
      }
      here.run(effort.rounds());
      var client = pinned.sleeping();
      sleep.add(SleepingClient.CALL, client, SleepingClient.CALL);
      sleep.add(SleepingClient.WAKE, () -> client.turn(SleepingClient.WAKE));
      sleep.run(effort.rounds());
      var callers = free.syncedCallers();
      for (var load : List.of(SyncedCallers.CALLS, SyncedCallers.BARE)) {
        synced.add(load, callers, load);
      }
      synced.run(effort.rounds());
      return List.of(
          here.row(
              "image-64mib",
              "ms",
              KeptHere.IMAGE_PAUSE,
              KeptHere.ENCODING,
              RowGoal.ratio(AT_MOST, 1.1)),
          here.row(
              "replay-100000",
              "1/s",
              KeptHere.REPLAYED,
              KeptHere.SERVED,
              RowGoal.ratio(AT_LEAST, 0.7)),
          sleep.row(
              "sleep-wake",
              "us",
              SleepingClient.WAKE,
              SleepingClient.CALL,
              RowGoal.ratio(AT_MOST, 30)),
          synced.row(
              "synced-calls-64",
              "1/s",
              SyncedCallers.CALLS,
              SyncedCallers.BARE,
              RowGoal.ratio(AT_LEAST, 0.8)));
    }
  }
}
