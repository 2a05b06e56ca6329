package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;

/**
 * The programs by which Manta, JavaParty and MPJava were judged, as a user starts them, one after
 * the other. Each makes its rounds by itself, warm.
 */
public final class AppsBenchmark implements Benchmark {

  private AppKernelRows kernels;
  private MessageExchangeRows exchanges;

  @Override
  public String name() {
    return "apps";
  }

  @Override
  public String about() {
    return "the programs of Manta, JavaParty and MPJava: speed-up, break-down, ibis by rmi, peers";
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
