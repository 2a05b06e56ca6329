package org.troupe.benchmarks.apps;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.report.RowCharts;

/**
 * All programs as they are: against their sequential versions, over two transports, and where the
 * time goes. For one thread.
 */
final class AppKernelRows {

  /** How a program is run. */
  private record Way(int jvms, String transport) {
    String of(App app) {
      return app.name() + "-" + jvms + "-" + transport;
    }
  }

  private static final Way ALONE = new Way(1, "ibis");
  private static final Way BOTH = new Way(2, "ibis");
  private static final Way BY_RMI = new Way(2, "rmi");

  private static final String BESIDE = "-beside";

  private static final Set<String> MANTAS =
      Set.of("sor", "asp", "radix", "fft", "water", "barnes-hut");

  private static final RowGoal EFFICIENCY = RowGoal.ours(AT_LEAST, 0.75);
  private static final RowGoal FASTER = RowGoal.ratio(BELOW, 1);

  // Of the web server
  private static final String PAGE = "microsecondsPerPage";
  private static final String PAGES = "pagesPerSecond";
  private static final String PLAIN_PAGES = "plainPagesPerSecond";

  private static final String SECONDS = "s";
  private static final String SHARE = "s/node";
  private static final double KIBI = 1024;

  private final List<App> apps;
  private final int rounds;
  private final boolean isAloneToo;
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> hindrances = new LinkedHashMap<>(); // by way of a program

  AppKernelRows(List<App> apps, MeasurementEffort effort) {
    this.apps = apps;
    rounds = effort.appRounds();
    isAloneToo = !effort.isShort();
  }

  // Measuring

  /** Lets all programs run once in each way. */
  void run() throws InterruptedException {
    for (var app : apps) {
      run(app, BOTH);
      run(app, BY_RMI);
      if (isAloneToo && samples.of(BOTH.of(app) + "-base") != null) {
        run(app, ALONE);
        if (efficiency(app) != null) {
          runBeside(app);
        }
      }
    }
  }

  /** The sequential version while another run goes on: what one processor leaves the other. */
  private void runBeside(App app) throws InterruptedException {
    var name = app.name() + BESIDE;
    System.err.println("  " + name);
    try (var two = Executors.newFixedThreadPool(2)) {
      Callable<AppRun> run = () -> AppRun.of(app, CorePinning.NONE, options(ALONE));
      for (var each : two.invokeAll(List.of(run, run))) {
        each.get().baseRounds().forEach(one -> samples.add(name, one));
      }
    } catch (ExecutionException | IOException e) {
      System.err.println(e.getMessage());
      hindrances.put(name, "its run failed");
    }
  }

  /** What fails costs its rows, and no others. */
  private void run(App app, Way way) throws InterruptedException {
    var name = way.of(app);
    if (hindrances.containsKey(name)) {
      return;
    }
    try {
      System.err.println("  " + name); // it takes minutes
      add(name, AppRun.of(app, CorePinning.NONE, options(way)));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      hindrances.put(name, "its run failed");
    }
  }

  private Object[] options(Way way) {
    return new Object[] {
      "--size",
      "paper",
      "--jvms",
      way.jvms,
      "--transport",
      way.transport,
      "--rounds",
      rounds,
      "--warm-up",
      AppRun.WARM_UP_SECONDS
    };
  }

  private void add(String name, AppRun run) throws IOException {
    var seconds = run.figure("seconds");
    var perNode = run.figure("cpuSeconds") / run.nodes();
    run.rounds().forEach(each -> samples.add(name, each));
    samples.add(name + "-cpu", run.figure("cpuSeconds"));
    samples.add(name + "-messages", run.figure("messages"));
    samples.add(name + "-sent", run.figure("bytes") / KIBI);
    for (var figure : List.of(PAGE, PAGES, PLAIN_PAGES)) {
      if (run.has(figure)) {
        samples.add(name + figure, run.figure(figure));
      }
    }
    if (run.has("baseSeconds")) {
      var base = run.figure("baseSeconds");
      run.baseRounds().forEach(each -> samples.add(name + "-base", each));
      samples.add(name + "-speed-up", base / seconds);
      samples.add(name + "-efficiency", base / seconds / run.nodes());
      samples.add(name + "-compute", base / run.nodes());
      samples.add(name + "-overhead", perNode - base / run.nodes());
      samples.add(name + "-idle", seconds - perNode); // below 0: it uses more than a processor
    }
  }

  // Telling

  List<BenchmarkRow> rows() {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var app : apps) {
      rows.addAll(rows(app));
    }
    return rows.stream().filter(row -> row.ours() != null || !row.note().isEmpty()).toList();
  }

  private List<BenchmarkRow> rows(App app) {
    var name = "app-" + app.name();
    var both = BOTH.of(app);
    var rmi = BY_RMI.of(app);
    List<BenchmarkRow> rows = new ArrayList<>();
    if (hindrances.containsKey(both)) {
      return unmeasured(app, hindrances.get(both));
    }
    if (samples.of(both + "-base") != null) {
      var alone = ALONE.of(app);
      rows.add(
          hindrances.containsKey(alone)
              ? BenchmarkRow.unmeasured(name + "-1-jvm", SECONDS, null, hindrances.get(alone))
              : row(name + "-1-jvm", SECONDS, alone, alone + "-base", null));
      rows.add(row(name + "-2-jvm", SECONDS, both, both + "-base", null));
      rows.add(row(name + "-efficiency", "-", both + "-efficiency", null, efficiency(app)));
      var beside = app.name() + BESIDE;
      rows.add(
          hindrances.containsKey(beside)
              ? BenchmarkRow.unmeasured(name + BESIDE, SECONDS, null, hindrances.get(beside))
              : row(name + BESIDE, SECONDS, beside, alone + "-base", null));
      for (var part : List.of("-compute", "-overhead", "-idle")) {
        rows.add(row(name + part, SHARE, both + part, both, null));
      }
    }
    rows.add(
        hindrances.containsKey(rmi)
            ? BenchmarkRow.unmeasured(name + "-by-rmi", SECONDS, FASTER, hindrances.get(rmi))
            : row(name + "-by-rmi", SECONDS, both, rmi, FASTER));
    rows.add(row(name + "-cpu", SECONDS, both + "-cpu", rmi + "-cpu", null));
    rows.add(row(name + "-messages", "1", both + "-messages", rmi + "-messages", null));
    rows.add(row(name + "-sent", "KiB", both + "-sent", rmi + "-sent", null));
    rows.add(row(name + "-page", "us", both + PAGE, rmi + PAGE, null));
    rows.add(row(name + "-pages", "1/s", both + PAGES, both + PLAIN_PAGES, null));
    return rows;
  }

  /** What was due of a program whose run failed, so that no goal is lost. */
  private static List<BenchmarkRow> unmeasured(App app, String why) {
    var name = "app-" + app.name();
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(BenchmarkRow.unmeasured(name + "-2-jvm", SECONDS, null, why));
    if (efficiency(app) != null) {
      rows.add(BenchmarkRow.unmeasured(name + "-efficiency", "-", efficiency(app), why));
    }
    rows.add(BenchmarkRow.unmeasured(name + "-by-rmi", SECONDS, FASTER, why));
    return rows;
  }

  private static RowGoal efficiency(App app) {
    return MANTAS.contains(app.name()) ? EFFICIENCY : null;
  }

  private BenchmarkRow row(String name, String unit, String ours, String reference, RowGoal goal) {
    return new BenchmarkRow(
        name, unit, samples.of(ours), reference == null ? null : samples.of(reference), goal);
  }

  // Drawing

  /** Speed-ups and what the time was spent on, like the papers; and what ibis is worth to whom. */
  void draw(Path folder) throws IOException {
    var kernels = apps.stream().filter(app -> samples.of(BOTH.of(app) + "-base") != null).toList();
    if (!kernels.isEmpty()) {
      drawKernels(folder, kernels);
    }
    drawGains(folder);
  }

  private void drawKernels(Path folder, List<App> kernels) throws IOException {
    Map<String, List<Double>> speedUps = new LinkedHashMap<>();
    if (isAloneToo) {
      speedUps.put("1 JVM", medians(kernels, ALONE, "-speed-up"));
    }
    speedUps.put("2 JVMs, ibis", medians(kernels, BOTH, "-speed-up"));
    speedUps.put("2 JVMs, rmi", medians(kernels, BY_RMI, "-speed-up"));
    var names = kernels.stream().map(App::name).toList();
    RowCharts.bars(
        folder.resolve("apps-speed-up.png"),
        "against one thread",
        "speed-up",
        names,
        speedUps,
        false);
    for (var way : List.of(BOTH, BY_RMI)) {
      Map<String, List<Double>> parts = new LinkedHashMap<>();
      for (var part : List.of("compute", "overhead", "idle")) {
        parts.put(part, medians(kernels, way, "-" + part));
      }
      RowCharts.bars(
          folder.resolve("apps-break-down-" + way.transport + ".png"),
          "2 JVMs over " + way.transport,
          SHARE,
          names,
          parts,
          true);
    }
  }

  private List<Double> medians(List<App> apps, Way way, String figure) {
    return apps.stream()
        .map(app -> samples.of(way.of(app) + figure))
        .map(spread -> spread == null ? null : spread.median())
        .toList();
  }

  private void drawGains(Path folder) throws IOException {
    Map<String, RowCharts.Point> bySize = new LinkedHashMap<>();
    Map<String, RowCharts.Point> byCount = new LinkedHashMap<>();
    for (var app : apps) {
      var ibis = samples.of(BOTH.of(app));
      var rmi = samples.of(BY_RMI.of(app));
      if (ibis == null || rmi == null) {
        continue;
      }
      var messages = samples.of(BOTH.of(app) + "-messages").median();
      var sent = samples.of(BOTH.of(app) + "-sent").median() * KIBI;
      var gain = rmi.median() / ibis.median();
      if (messages > 0) {
        bySize.put(app.name(), new RowCharts.Point(sent / messages, gain));
        byCount.put(app.name(), new RowCharts.Point(messages / ibis.median(), gain));
      }
    }
    var gain = "time over rmi / over ibis";
    RowCharts.points(folder.resolve("apps-gain-by-size.png"), "bytes per message", gain, bySize);
    RowCharts.points(
        folder.resolve("apps-gain-by-count.png"), "messages per second", gain, byCount);
  }
}
