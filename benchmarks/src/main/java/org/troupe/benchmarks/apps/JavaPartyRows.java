package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.serialization.Specialisation;

/**
 * The effect of each specialisation of serialization on JavaParty's programs: the five rows of the
 * tables in the paper on its compiler. Not thread-safe.
 *
 * @see "R. Veldema and M. Philippsen, Compiler optimized remote method invocation, IEEE Cluster
 *     2003"
 */
final class JavaPartyRows {

  private static final Set<String> PROGRAMS = Set.of("lu", "superoptimizer", "webserver");

  /**
   * A row of the table.
   *
   * @param without the specialisations that are switched off
   */
  private record Setting(String name, List<Specialisation> without) {}

  /** Only the generated codecs of classes, without any specialisation of calls. */
  private static final Setting CLASS =
      new Setting(
          "class",
          List.of(Specialisation.CALL_SITE, Specialisation.UNTRACKED, Specialisation.REUSE));

  private static final Setting ALL = new Setting("all", List.of());

  private static final List<Setting> SETTINGS =
      List.of(
          CLASS,
          new Setting("site", List.of(Specialisation.UNTRACKED, Specialisation.REUSE)),
          new Setting("site-cycle", List.of(Specialisation.REUSE)),
          new Setting("site-reuse", List.of(Specialisation.UNTRACKED)),
          ALL);

  private static final String UNIT = "s";
  private static final int KIBI = 1024;

  private final List<App> apps;
  private final List<Setting> settings;
  private final int rounds;
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> counts = new LinkedHashMap<>(); // notes, by row
  private final Map<String, String> failures = new LinkedHashMap<>();

  JavaPartyRows(List<App> apps, MeasurementEffort effort) {
    this.apps = apps.stream().filter(app -> PROGRAMS.contains(app.name())).toList();
    rounds = effort.appRounds();
    settings = effort.isQuick() ? List.of(CLASS, ALL) : SETTINGS;
  }

  /** Runs all programs once with each setting. */
  void run() throws InterruptedException {
    for (var app : apps) {
      for (var setting : settings) {
        var name = name(app, setting);
        if (!failures.containsKey(name)) {
          run(app, setting, name);
        }
      }
    }
  }

  /** Runs a program with a setting; a failure costs only its row. */
  private void run(App app, Setting setting, String name) throws InterruptedException {
    List<Object> options =
        new ArrayList<>(
            List.of(
                "--size",
                "paper",
                "--rounds",
                rounds,
                "--warm-up",
                AppRun.SHORT_WARM_UP_SECONDS,
                "--count"));
    if (!setting.without.isEmpty()) {
      options.add("--without");
      options.add(setting.without.stream().map(Enum::name).collect(Collectors.joining(",")));
    }
    try {
      System.err.println("  " + name);
      var run = AppRun.of(app, options.toArray());
      samples.add(name, run.figure("seconds"));
      counts.put(
          name,
          "%.0f objects reused; %.0f cycle look-ups; %.0f KiB"
              .formatted(
                  run.figure("objectsReused"),
                  run.figure("cycleLookups"),
                  run.figure("bytes") / KIBI));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      failures.put(name, "its run failed");
    }
  }

  List<BenchmarkRow> rows() {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var app : apps) {
      for (var setting : settings) {
        var name = name(app, setting);
        rows.add(
            failures.containsKey(name)
                ? BenchmarkRow.unmeasured(name, UNIT, null, failures.get(name))
                : new BenchmarkRow(
                    name,
                    UNIT,
                    samples.of(name),
                    samples.of(name(app, CLASS)),
                    null,
                    Objects.requireNonNull(counts.get(name), name)));
      }
    }
    return rows;
  }

  private static String name(App app, Setting setting) {
    return "app-" + app.name() + "-" + setting.name();
  }
}
