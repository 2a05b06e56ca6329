package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ContenderSides;
import org.troupe.benchmarks.sides.ReplicaClient;

/** Reads and writes of replicated objects, against plain and remote calls. */
public final class ReplicasBenchmark implements Benchmark {

  private static final CorePinning PINNING = CorePinning.ONE_CORE;
  private static final int WARM_UPS = 4;
  private static final double MOST_NANOS_OF_READ = 10;

  @Override
  public String name() {
    return "replicas";
  }

  @Override
  public String about() {
    return "reads and writes of replicated objects, against plain and remote calls";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<BenchmarkRow>();
    Map<Integer, @Nullable Double> mostCalls = new LinkedHashMap<>(); // a write may cost
    mostCalls.put(2, 2.5);
    mostCalls.put(4, 4.0);
    mostCalls.put(16, null);
    for (var each : mostCalls.entrySet()) {
      try (var contest = new BenchmarkContest(PINNING, WARM_UPS)) {
        var replicas = new ContenderSides(PINNING, effort).replicas(each.getKey());
        contest.add(ReplicaClient.WRITE, replicas, ReplicaClient.WRITE);
        contest.add(ReplicaClient.CALL, replicas, ReplicaClient.CALL);
        if (each.getKey() == 2) {
          contest.add(ReplicaClient.READ, replicas, ReplicaClient.READ);
          contest.add(ReplicaClient.PLAIN_READ, replicas, ReplicaClient.PLAIN_READ);
        }
        contest.run(effort.rounds());
        if (each.getKey() == 2) {
          rows.add(
              contest.row(
                  "replica-read",
                  "ns",
                  ReplicaClient.READ,
                  ReplicaClient.PLAIN_READ,
                  RowGoal.ours(AT_MOST, MOST_NANOS_OF_READ)));
        }
        rows.add(
            contest.row(
                "replica-write-" + each.getKey(),
                "us",
                ReplicaClient.WRITE,
                ReplicaClient.CALL,
                each.getValue() == null ? null : RowGoal.ratio(AT_MOST, each.getValue())));
      }
    }
    return rows;
  }
}
