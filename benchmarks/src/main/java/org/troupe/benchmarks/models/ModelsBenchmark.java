package org.troupe.benchmarks.models;

import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.rows.MessagePassingBenchmark;
import org.troupe.benchmarks.rows.MpjExpressBenchmark;
import org.troupe.benchmarks.rows.ReplicasBenchmark;
import org.troupe.benchmarks.rows.TasksBenchmark;

/** The benchmarks of all programming models under one name; has no rows of its own. */
public final class ModelsBenchmark implements Benchmark {

  @Override
  public String name() {
    return "models";
  }

  @Override
  public String about() {
    return "the programming models: the eight benchmarks that follow";
  }

  @Override
  public List<Benchmark> further() {
    return List.of(
        new TasksBenchmark(),
        new TwoNodesBenchmark(),
        new DistantTasksBenchmark(),
        new LostNodeBenchmark(),
        new FarmBenchmark(),
        new MessagePassingBenchmark(),
        new MpjExpressBenchmark(),
        new ReplicasBenchmark());
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) {
    return List.of();
  }
}
