package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/** Calls over TLS, against a bare TLS engine over a channel of the same kind. */
public final class TlsCallBenchmark implements Benchmark {

  private static final String OURS = " by ibis";
  private static final String BARE = " bare";

  @Override
  public String name() {
    return "tls";
  }

  @Override
  public String about() {
    return "calls over ibis with TLS 1.3, against a bare SSLEngine over a channel";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort);
      for (var load : List.of(CalleeLoads.CALL, ContenderSides.MEBI_OF_DOUBLES)) {
        contest.add(load + OURS, sides.ibis(BareDriver.TLS), load);
        contest.add(load + BARE, sides.bareLink(BareDriver.TLS), load);
      }
      contest.run(effort.rounds());
      return List.of(
          row(contest, "tls-null-call", CalleeLoads.CALL),
          row(contest, "tls-mib", ContenderSides.MEBI_OF_DOUBLES));
    }
  }

  private static BenchmarkRow row(BenchmarkContest contest, String name, String load) {
    return contest.row(name, "us", load + OURS, load + BARE, RowGoal.ratio(AT_MOST, 1.15));
  }
}
