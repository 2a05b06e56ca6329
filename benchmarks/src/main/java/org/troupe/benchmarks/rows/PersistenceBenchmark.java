package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.PersistedEvents.Side;

/** Logged one-way calls, against persistent actors of Pekko. */
public final class PersistenceBenchmark implements Benchmark {

  private static final int MANY = 100;

  @Override
  public String name() {
    return "persistence";
  }

  @Override
  public String about() {
    return "logged calls inside one JVM, against persistent actors of Pekko; a part of lifecycle";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var isSynced : List.of(false, true)) {
      for (var objects : List.of(1, MANY)) {
        rows.add(row(objects, isSynced, effort));
      }
    }
    return rows;
  }

  private static BenchmarkRow row(int objects, boolean isSynced, MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE)) {
      for (var side : Side.values()) {
        contest.add(side.name(), ContenderSides.persisting(side, objects, isSynced, effort));
      }
      contest.run(effort.rounds());
      return contest.row(
          "persist"
              + (objects == 1 ? "" : "-" + objects)
              + "-by-pekko"
              + (isSynced ? "-synced" : ""),
          "1/s",
          Side.ACTIVE_OBJECTS.name(),
          Side.PEKKO.name(),
          RowGoal.ratio(AT_LEAST, isSynced ? 2 : 3));
    }
  }
}
