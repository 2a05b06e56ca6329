package org.troupe.benchmarks.models;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ServerGrid;

/** Tasks on two clusters of two nodes, with a delay between them, by strategy. */
public final class DistantTasksBenchmark implements Benchmark {

  private static final int MILLIS = 10; // each way
  private static final Object[] CLUSTERS = {
    LeafLoad.WAITING, "127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"
  };

  private static final String NEAR = "CRS without delay";
  private static final String CLUSTER_AWARE = "CRS";
  private static final String RANDOM = "RS";

  @Override
  public String name() {
    return "tasks-far";
  }

  @Override
  public String about() {
    return "tasks on two clusters with 10 ms between them, cluster-aware and random; a part of models";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var near = start("CRS", 0);
        var clusterAware = start("CRS", MILLIS);
        var random = start("RS", MILLIS)) {
      contest.add(NEAR, near::turn);
      contest.add(CLUSTER_AWARE, clusterAware::turn);
      contest.add(RANDOM, random::turn);
      contest.run(effort.rounds());
      return List.of(
          contest.row("tasks-far-CRS-10", "ms", CLUSTER_AWARE, NEAR, RowGoal.ratio(AT_MOST, 1.1)),
          contest.row("tasks-far-RS-10", "ms", RANDOM, CLUSTER_AWARE, null));
    }
  }

  private static ContenderProcess start(String strategy, int millis) throws IOException {
    return ModelSides.start(
        TreeClient.class,
        List.of(
            ModelSides.property(ServerGrid.TRANSPORT, DelayedTransport.NAME),
            ModelSides.property(DelayedTransport.MILLIS, millis),
            ModelSides.property("troupe.tasks.steal", strategy)),
        CLUSTERS);
  }
}
