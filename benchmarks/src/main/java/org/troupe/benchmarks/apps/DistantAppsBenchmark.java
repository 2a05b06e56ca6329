package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.SlowNetwork;

/**
 * The classic programs on nodes at two sites with a slow network between them: how much each
 * network slows them down, and how much they send over it. Each program is started anew for each
 * network. Not thread-safe.
 */
public final class DistantAppsBenchmark implements Benchmark {

  /*
   * Findings (6bfc595, 2026-11-22). asp broadcasts rows while it computes others, so 1,286
   * messages of 5 KiB cost little even at 10 ms. sor waits for each of 2,000 borders, so it takes at
   * least 2,000 delays. superoptimizer has at most 64 calls in flight to a tester (--queue), so 53,000
   * calls take 830 round trips; a longer queue is faster. fft is limited by the rate: 24 MiB take 1 s at
   * 100 Mbit/s in both directions at once. cg exchanges half of a vector 390 times, 55 KiB each way:
   * 16.7 s at 10 ms, against 24.9 s when one member collected and sent the parts. barnes-hut takes 240
   * ms longer per step at 10 ms; its five exchanges explain some 100 of them.
   */

  /** In milliseconds, each way. */
  private static final List<Integer> DELAYS = List.of(1, 10);

  private static final List<Integer> FEWER_DELAYS = List.of(10);

  private static final int MEGABITS = 100;

  /** Shorter than on a fast network: most of the time is spent waiting for messages. */
  private static final int WARM_UP_SECONDS = 5;

  /** A program whose HTTP server listens on loopback only, so its first node is on this machine. */
  private static final String WEB_SERVER = "webserver";

  private static final List<Object> FEWER_MESSAGES =
      List.of("--times", 100, "--doubles", "1,1000,100000");

  /**
   * Options of the programs whose messages all wait for each other, and which would take minutes
   * otherwise.
   */
  private static final Map<String, List<Object>> SHORTER =
      Map.of(
          WEB_SERVER,
          List.of("--pages", 200, "--calls", 250, "--requests", 25),
          "pingpong",
          FEWER_MESSAGES,
          "alltoall",
          FEWER_MESSAGES);

  private static final String PREFIX = "app-far";
  private static final String UNIT = "s";
  private static final double KIBI = 1024;

  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> notes = new LinkedHashMap<>(); // by row
  private final Map<String, String> failures = new LinkedHashMap<>(); // by row

  @Override
  public String name() {
    return "apps-far";
  }

  @Override
  public String about() {
    return "the programs of Manta, JavaParty and MPJava on two sites of a test grid: a slow link";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var unavailability = SlowNetwork.whyUnavailable();
    if (unavailability.isPresent()) {
      return List.of(BenchmarkRow.unmeasured(PREFIX, UNIT, null, unavailability.get()));
    }
    var apps = AppList.read();
    var delays = effort.isQuick() ? FEWER_DELAYS : DELAYS;
    for (var app : apps) {
      try (var link =
          app.name().equals(WEB_SERVER) ? SlowNetwork.fromHere() : SlowNetwork.ofClusters()) {
        run(app, link, delays, effort.longRounds());
      } catch (IOException e) {
        System.err.println(e.getMessage());
        delays.forEach(
            each -> failures.put(far(app, each), "the delay of the network could not be set"));
      }
    }
    return rows(apps, delays);
  }

  private void run(App app, SlowNetwork link, List<Integer> delays, int rounds)
      throws IOException, InterruptedException {
    if (!run(app, link, near(app), rounds)) {
      delays.forEach(each -> failures.put(far(app, each), "its run without delay failed"));
      return;
    }
    for (var delay : delays) {
      link.delay(delay, MEGABITS);
      if (!run(app, link, far(app, delay), rounds)) {
        failures.put(far(app, delay), "its run failed");
      }
    }
  }

  /**
   * Runs a program; a failure costs only the rows of this run.
   *
   * @return whether the run succeeded
   */
  private boolean run(App app, SlowNetwork link, String name, int rounds)
      throws InterruptedException {
    List<Object> options =
        new ArrayList<>(
            List.of("--size", "paper", "--rounds", rounds, "--warm-up", WARM_UP_SECONDS));
    options.addAll(SHORTER.getOrDefault(app.name(), List.of()));
    try {
      System.err.println("  " + name); // it takes minutes
      var run = AppRun.of(link.report(app.main(), options, ExternalCommand.NOTHING));
      notes.put(name, note(run));
      run.rounds().forEach(each -> samples.add(name, each));
      return true;
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return false;
    }
  }

  static String note(AppRun run) throws IOException {
    List<String> parts = new ArrayList<>();
    parts.add("%.0f messages".formatted(run.figure("messages")));
    parts.add("%.0f KiB".formatted(run.figure("bytes") / KIBI));
    if (run.has("baseSeconds")) {
      parts.add("sequential %.2f s".formatted(run.figure("baseSeconds")));
    }
    run.micros()
        .forEach(
            (doubles, micros) -> parts.add("double[%d] in %.0f us".formatted(doubles, micros)));
    return String.join("; ", parts);
  }

  private List<BenchmarkRow> rows(List<App> apps, List<Integer> delays) {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var app : apps) {
      for (var delay : delays) {
        var name = far(app, delay);
        var far = samples.of(name);
        rows.add(
            far == null
                ? BenchmarkRow.unmeasured(
                    name, UNIT, null, Objects.requireNonNull(failures.get(name), name))
                : new BenchmarkRow(
                    name,
                    UNIT,
                    far,
                    samples.of(near(app)),
                    null,
                    Objects.requireNonNull(notes.get(name), name)));
      }
    }
    return rows;
  }

  private static String near(App app) {
    return far(app, 0);
  }

  private static String far(App app, int delay) {
    return PREFIX + "-" + app.name() + "-" + delay;
  }
}
