package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;

/**
 * The benchmark programs of Manta, JavaParty and MPJava, started as a user starts them, one after
 * the other. Each program warms up and makes its rounds by itself.
 */
public final class AppsBenchmark implements Benchmark {

  @SuppressWarnings("NullAway.Init") // run() sets it before draw() is called
  private AppKernelRows kernels;

  @SuppressWarnings("NullAway.Init") // run() sets it before draw() is called
  private MessageExchangeRows exchanges;

  @Override
  public String name() {
    return "apps";
  }

  @Override
  public String about() {
    return "the programs of Manta, JavaParty and MPJava: speed-up, breakdown, ibis by rmi, peers";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var apps = AppList.read();
    kernels = new AppKernelRows(apps, effort);
    var tables = new JavaPartyRows(apps, effort);
    exchanges = new MessageExchangeRows(apps, effort);
    try (var _ = exchanges;
        var cg = new ConjugateGradientRows(apps, effort)) {
      exchanges.open();
      cg.open();
      kernels.run();
      tables.run();
      exchanges.run();
      cg.run();
      List<BenchmarkRow> rows = new ArrayList<>(kernels.rows());
      rows.addAll(tables.rows());
      rows.addAll(cg.rows());
      rows.addAll(exchanges.rows());
      return rows;
    }
  }

  @Override
  public void draw(Path folder) throws IOException {
    kernels.draw(folder);
    exchanges.draw(folder);
  }
}
