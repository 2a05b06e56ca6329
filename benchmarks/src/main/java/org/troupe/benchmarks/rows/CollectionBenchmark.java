package org.troupe.benchmarks.rows;

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
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.RemoteGarbage;

/** The cost of the collection of unreferenced objects for calls, and its duration. */
public final class CollectionBenchmark implements Benchmark {

  private static final String LISTED = "listed";
  private static final String OFF = "off";
  private static final String RING = "ring";
  private static final String WITH_STUB = " with stub";

  @Override
  public String name() {
    return "collect";
  }

  @Override
  public String about() {
    return "active objects to which no node refers any more";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE);
        var drops = new BenchmarkContest(CorePinning.NONE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      for (var mode : List.of(LISTED, OFF)) {
        var caller = sides.collecting(mode);
        contest.add(mode, caller, CalleeLoads.CALL);
        contest.add(mode + WITH_STUB, caller, CalleeLoads.CALL_WITH_STUB);
      }
      contest.run(effort.rounds());
      for (var quantity : RemoteGarbage.Quantity.values()) {
        drops.add(quantity.name(), ContenderSides.dropping(quantity));
      }
      drops.add(RING, ContenderSides.droppingRing());
      drops.run(effort.longRounds());
      return List.of(
          contest.row("collect-null-call", "us", LISTED, OFF, RowGoal.ratio(AT_MOST, 1.02)),
          contest.row(
              "off-call-with-stub",
              "us",
              LISTED + WITH_STUB,
              OFF + WITH_STUB,
              RowGoal.ratio(AT_MOST, 1.05)),
          row(drops, "collect-100000", "s", RemoteGarbage.Quantity.SECONDS, 10),
          row(drops, "collect-100000-traffic", "bytes", RemoteGarbage.Quantity.BYTES, 20),
          row(drops, "give-1000000-growth", "bytes", RemoteGarbage.Quantity.GROWTH, 1),
          row(drops, "collect-ring-1000", "idle times", RING, 2));
    }
  }

  private static BenchmarkRow row(
      BenchmarkContest contest, String name, String unit, RemoteGarbage.Quantity of, double most) {
    return row(contest, name, unit, of.name(), most);
  }

  private static BenchmarkRow row(
      BenchmarkContest contest, String name, String unit, String side, double most) {
    var ours = contest.of(side);
    return new BenchmarkRow(name, unit, ours, null, RowGoal.ours(AT_MOST, most));
  }
}
