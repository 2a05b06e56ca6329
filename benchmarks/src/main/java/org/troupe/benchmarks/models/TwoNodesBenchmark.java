package org.troupe.benchmarks.models;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;

/**
 * Trees of tasks on two nodes against one, beside two plain JVMs that do half of the work each,
 * which shows how much the processors slow each other down.
 */
public final class TwoNodesBenchmark implements Benchmark {

  private static final String HERE = "127.0.0.1";

  private static final String ONE_NODE = "one node";
  private static final String TWO_NODES = "two nodes";
  private static final String ONE_JVM = "one JVM";
  private static final String TWO_JVMS = "two JVMs";

  @Override
  public String name() {
    return "tasks-nodes";
  }

  @Override
  public String about() {
    return "trees of tasks on two nodes against one, and against plain JVMs; a part of models";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.addAll(rows(LeafLoad.COARSE, "", 0.95, effort));
    rows.addAll(rows(LeafLoad.IRREGULAR, "-irregular", 0.9, effort));
    return rows;
  }

  private static List<BenchmarkRow> rows(
      LeafLoad load, String suffix, double least, MeasurementEffort effort) throws IOException {
    var samples = samples(load, effort.rounds());
    return List.of(
        new BenchmarkRow(
            "tasks-speed-up-2" + suffix,
            "-",
            samples.of(ONE_NODE, TWO_NODES, TwoNodesBenchmark::efficiency),
            samples.of(ONE_JVM, TWO_JVMS, TwoNodesBenchmark::efficiency),
            RowGoal.ratio(AT_LEAST, least)),
        new BenchmarkRow(
            "tasks-2-nodes" + suffix, "ms", samples.of(TWO_NODES), samples.of(TWO_JVMS), null));
  }

  private static double efficiency(double one, double two) {
    return one / two / 2;
  }

  private static RoundSamples samples(LeafLoad load, int rounds) throws IOException {
    var samples = new RoundSamples();
    try (var one = ModelSides.start(TreeClient.class, load, HERE);
        var two = ModelSides.start(TreeClient.class, load, HERE, HERE);
        var all = ModelSides.start(PlainLeaves.class, load, 0, 1);
        var even = ModelSides.start(PlainLeaves.class, load, 0, 2);
        var odd = ModelSides.start(PlainLeaves.class, load, 1, 2)) {
      for (var round = 0; round < rounds; round++) {
        samples.add(ONE_NODE, one.turn());
        samples.add(TWO_NODES, two.turn());
        samples.add(ONE_JVM, all.turn());
        even.begin();
        odd.begin();
        samples.add(TWO_JVMS, Math.max(even.end(), odd.end()));
      }
    }
    return samples;
  }
}
