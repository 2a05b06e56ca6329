package org.troupe.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs by which Manta, JavaParty and MPJava were judged, as a user starts them, one after
 * the other. Each makes its rounds by itself, warm.
 */
final class Apps implements Benchmark {

  private AppKernels kernels;
  private AppExchanges exchanges;

  @Override
  public String name() {
    return "apps";
  }

  @Override
  public String about() {
    return "the programs of Manta, JavaParty and MPJava: speed-up, break-down, ibis by rmi, peers";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    var apps = AppList.read();
    kernels = new AppKernels(apps, effort);
    var tables = new AppTables(apps, effort);
    exchanges = new AppExchanges(apps, effort);
    try (var _ = exchanges;
        var cg = new AppCg(apps, effort)) {
      exchanges.open();
      cg.open();
      kernels.run();
      tables.run();
      exchanges.run();
      cg.run();
      List<Row> rows = new ArrayList<>(kernels.rows());
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
