package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.MpjExpress;
import org.troupe.benchmarks.sides.RankClient;

/** The package {@code mpi} against the other library of that name, MPJ Express. */
public final class MpjExpressBenchmark implements Benchmark {

  private static final int KIBI = (1 << 10) / Double.BYTES;
  private static final int MEBI = (1 << 20) / Double.BYTES;
  private static final CorePinning PINNING = CorePinning.ONE_CORE;
  private static final String PEER = "MPJ Express ";

  @Override
  public String name() {
    return "mpj-express";
  }

  @Override
  public String about() {
    return "message passing against MPJ Express; a part of models";
  }

  /** Returns the loads by their names in rows. */
  private static Map<String, String> loads() {
    Map<String, String> loads = new LinkedHashMap<>();
    loads.put("ping-pong-8", RankClient.PING_PONG + 1);
    loads.put("ping-pong-kib", RankClient.PING_PONG + KIBI);
    loads.put("ping-pong-mib", RankClient.PING_PONG + MEBI);
    loads.put("bcast-mib-2", RankClient.BROADCAST + MEBI);
    loads.put("allreduce-mib-2", RankClient.ALL_REDUCE + MEBI);
    loads.put("alltoall-mib-2", RankClient.ALL_TO_ALL + MEBI / 2);
    return loads;
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var missing = MpjExpress.whyUnavailable();
    try (var contest = new BenchmarkContest(PINNING)) {
      var ours = new ContenderSides(PINNING, effort).ranks(2);
      var theirs = missing.isPresent() ? null : MpjExpress.start(PINNING, effort);
      for (var load : loads().values()) {
        contest.add(load, ours, load);
        if (theirs == null) {
          contest.markUnavailable(PEER + load, missing.orElseThrow());
        } else {
          contest.add(PEER + load, theirs, load);
        }
      }
      contest.run(effort.rounds());
      return loads().entrySet().stream()
          .map(
              each ->
                  contest.row(
                      "mpj-" + each.getKey() + "-by-mpj-express",
                      "us",
                      each.getValue(),
                      PEER + each.getValue(),
                      RowGoal.ratio(AT_MOST, 0.5)))
          .toList();
    }
  }
}
