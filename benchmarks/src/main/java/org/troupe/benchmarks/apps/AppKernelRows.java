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
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.report.RowCharts;

/**
 * The rows of all programs: against their sequential versions, over two transports, and with a
 * breakdown of the time. Not thread-safe.
 */
final class AppKernelRows {

  /** A configuration to run a program. */
  private record Configuration(int jvms, String transport) {
    String of(App app) {
      return app.name() + "-" + jvms + "-" + transport;
    }
  }

  private static final Configuration ONE_JVM = new Configuration(1, "ibis");
  private static final Configuration TWO_JVMS = new Configuration(2, "ibis");
  private static final Configuration TWO_JVMS_RMI = new Configuration(2, "rmi");

  private static final String BESIDE = "-beside";

  private static final Set<String> MANTA_PROGRAMS =
      Set.of("sor", "asp", "radix", "fft", "water", "barnes-hut");

  private static final RowGoal EFFICIENCY = RowGoal.ours(AT_LEAST, 0.75);
  private static final RowGoal FASTER = RowGoal.ratio(BELOW, 1);

  // Figures of the web server
  private static final String PAGE = "microsecondsPerPage";
  private static final String PAGES = "pagesPerSecond";
  private static final String PLAIN_PAGES = "plainPagesPerSecond";

  private static final String SECONDS = "s";
  private static final String SHARE = "s/node";
  private static final double KIBI = 1024;

  private final List<App> apps;
  private final int rounds;
  private final boolean runsAlone;
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> failures =
      new LinkedHashMap<>(); // by program and configuration

  AppKernelRows(List<App> apps, MeasurementEffort effort) {
    this.apps = apps;
    rounds = effort.appRounds();
    runsAlone = !effort.isQuick();
  }

  // Measuring

  /** Runs all programs once in each configuration. */
  void run() throws InterruptedException {
    for (var app : apps) {
      run(app, TWO_JVMS);
      run(app, TWO_JVMS_RMI);
      if (runsAlone && samples.of(TWO_JVMS.of(app) + "-base") != null) {
        run(app, ONE_JVM);
        if (efficiency(app) != null) {
          runTwice(app);
        }
      }
    }
  }

  /**
   * Runs the sequential version twice at the same time, which shows how much two processors slow
   * each other down.
   */
  private void runTwice(App app) throws InterruptedException {
    var name = app.name() + BESIDE;
    System.err.println("  " + name);
    try (var two = Executors.newFixedThreadPool(2)) {
      Callable<AppRun> run = () -> AppRun.of(app, options(ONE_JVM));
      for (var each : two.invokeAll(List.of(run, run))) {
        each.get().baseRounds().forEach(one -> samples.add(name, one));
      }
    } catch (ExecutionException | IOException e) {
      System.err.println(e.getMessage());
      failures.put(name, "its run failed");
    }
  }

  /** Runs a program; a failure costs only the rows of this run. */
  private void run(App app, Configuration configuration) throws InterruptedException {
    var name = configuration.of(app);
    if (failures.containsKey(name)) {
      return;
    }
    try {
      System.err.println("  " + name); // it takes minutes
      add(name, AppRun.of(app, options(configuration)));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      failures.put(name, "its run failed");
    }
  }

  private Object[] options(Configuration configuration) {
    return new Object[] {
      "--size",
      "paper",
      "--jvms",
      configuration.jvms,
      "--transport",
      configuration.transport,
      "--rounds",
      rounds,
      "--warm-up",
      configuration.jvms == 1 ? AppRun.SHORT_WARM_UP_SECONDS : AppRun.WARM_UP_SECONDS
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
      samples.add(
          name + "-idle", seconds - perNode); // negative if a node uses more than one processor
    }
  }

  // Rows

  List<BenchmarkRow> rows() {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var app : apps) {
      rows.addAll(rows(app));
    }
    return rows.stream().filter(row -> row.ours() != null || !row.note().isEmpty()).toList();
  }

  private List<BenchmarkRow> rows(App app) {
    var name = "app-" + app.name();
    var both = TWO_JVMS.of(app);
    var rmi = TWO_JVMS_RMI.of(app);
    List<BenchmarkRow> rows = new ArrayList<>();
    if (failures.containsKey(both)) {
      return unmeasured(app, failures.get(both));
    }
    if (samples.of(both + "-base") != null) {
      var alone = ONE_JVM.of(app);
      rows.add(
          failures.containsKey(alone)
              ? BenchmarkRow.unmeasured(name + "-1-jvm", SECONDS, null, failures.get(alone))
              : row(name + "-1-jvm", SECONDS, alone, alone + "-base", null));
      rows.add(row(name + "-2-jvm", SECONDS, both, both + "-base", null));
      rows.add(row(name + "-efficiency", "-", both + "-efficiency", null, efficiency(app)));
      var beside = app.name() + BESIDE;
      rows.add(
          failures.containsKey(beside)
              ? BenchmarkRow.unmeasured(name + BESIDE, SECONDS, null, failures.get(beside))
              : row(name + BESIDE, SECONDS, beside, alone + "-base", null));
      for (var part : List.of("-compute", "-overhead", "-idle")) {
        rows.add(row(name + part, SHARE, both + part, both, null));
      }
    }
    rows.add(
        failures.containsKey(rmi)
            ? BenchmarkRow.unmeasured(name + "-by-rmi", SECONDS, FASTER, failures.get(rmi))
            : row(name + "-by-rmi", SECONDS, both, rmi, FASTER));
    rows.add(row(name + "-cpu", SECONDS, both + "-cpu", rmi + "-cpu", null));
    rows.add(row(name + "-messages", "1", both + "-messages", rmi + "-messages", null));
    rows.add(row(name + "-sent", "KiB", both + "-sent", rmi + "-sent", null));
    rows.add(row(name + "-page", "us", both + PAGE, rmi + PAGE, null));
    rows.add(row(name + "-pages", "1/s", both + PAGES, both + PLAIN_PAGES, null));
    return rows;
  }

  /** Returns the rows of a program whose run failed, so that none of its goals is omitted. */
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

  private static @Nullable RowGoal efficiency(App app) {
    return MANTA_PROGRAMS.contains(app.name()) ? EFFICIENCY : null;
  }

  private BenchmarkRow row(
      String name, String unit, String ours, @Nullable String reference, @Nullable RowGoal goal) {
    return new BenchmarkRow(
        name, unit, samples.of(ours), reference == null ? null : samples.of(reference), goal);
  }

  // Drawing

  /**
   * Draws speed-ups and a breakdown of the time, like the papers, and the gain of ibis over rmi by
   * program.
   */
  void draw(Path folder) throws IOException {
    var kernels =
        apps.stream().filter(app -> samples.of(TWO_JVMS.of(app) + "-base") != null).toList();
    if (!kernels.isEmpty()) {
      drawKernels(folder, kernels);
    }
    drawGains(folder);
  }

  private void drawKernels(Path folder, List<App> kernels) throws IOException {
    Map<String, List<Double>> speedUps = new LinkedHashMap<>();
    if (runsAlone) {
      speedUps.put("1 JVM", medians(kernels, ONE_JVM, "-speed-up"));
    }
    speedUps.put("2 JVMs, ibis", medians(kernels, TWO_JVMS, "-speed-up"));
    speedUps.put("2 JVMs, rmi", medians(kernels, TWO_JVMS_RMI, "-speed-up"));
    var names = kernels.stream().map(App::name).toList();
    RowCharts.bars(
        folder.resolve("apps-speed-up.png"),
        "against one thread",
        "speed-up",
        names,
        speedUps,
        false);
    for (var configuration : List.of(TWO_JVMS, TWO_JVMS_RMI)) {
      Map<String, List<Double>> parts = new LinkedHashMap<>();
      for (var part : List.of("compute", "overhead", "idle")) {
        parts.put(part, medians(kernels, configuration, "-" + part));
      }
      RowCharts.bars(
          folder.resolve("apps-break-down-" + configuration.transport + ".png"),
          "2 JVMs over " + configuration.transport,
          SHARE,
          names,
          parts,
          true);
    }
  }

  private List<@Nullable Double> medians(
      List<App> apps, Configuration configuration, String figure) {
    return apps.stream()
        .map(app -> samples.of(configuration.of(app) + figure))
        .map(spread -> spread == null ? null : spread.median())
        .toList();
  }

  private void drawGains(Path folder) throws IOException {
    Map<String, RowCharts.Point> bySize = new LinkedHashMap<>();
    Map<String, RowCharts.Point> byCount = new LinkedHashMap<>();
    for (var app : apps) {
      var ibis = samples.of(TWO_JVMS.of(app));
      var rmi = samples.of(TWO_JVMS_RMI.of(app));
      if (ibis == null || rmi == null) {
        continue;
      }
      var messages = samples.measured(TWO_JVMS.of(app) + "-messages").median();
      var sent = samples.measured(TWO_JVMS.of(app) + "-sent").median() * KIBI;
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
