package org.troupe.benchmarks.apps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.DistributionCommand;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.TerminationCleanup;

/**
 * The time that a user waits for a classic program, from the command to its end, against its
 * sequential version. Every run starts new JVMs, and each version runs once; only the caches of
 * files are warm.
 */
public final class ClassicsSolutionBenchmark implements Benchmark {

  private static final int TURNS = 3;
  private static final String UNIT = "s";
  private static final String SEQUENTIAL = "-sequential";
  private static final String PARALLEL = "-parallel";

  /** Programs without a sequential version. */
  private static final Set<String> MESSAGES_ONLY = Set.of("pingpong", "alltoall", "webserver");

  private final RoundSamples samples = new RoundSamples();

  @Override
  public String name() {
    return "classics-solution";
  }

  @Override
  public String about() {
    return "the classics from their commands to their ends, cold, against one thread";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var apps =
        AppList.read().stream().filter(each -> !MESSAGES_ONLY.contains(each.name())).toList();
    var command = DistributionCommand.path();
    if (command.isEmpty()) {
      var reason = "this JVM was not started by ./troupe";
      return apps.stream()
          .map(app -> BenchmarkRow.unmeasured(row(app), UNIT, null, reason))
          .toList();
    }
    for (var round = 0; round < TURNS; round++) {
      for (var app : apps) {
        solve(command.get(), app);
      }
    }
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var app : apps) {
      var name = row(app);
      var sequential = samples.of(name + SEQUENTIAL);
      rows.add(new BenchmarkRow(name, UNIT, samples.of(name), sequential, null));
      rows.add(
          new BenchmarkRow(name + PARALLEL, UNIT, samples.of(name + PARALLEL), sequential, null));
    }
    return rows;
  }

  private static String row(App app) {
    return "classics-solution-" + app.name();
  }

  /** Measures a command that runs both versions once, and takes the sequential one off. */
  private void solve(Path troupe, App app) throws IOException, InterruptedException {
    var report = TerminationCleanup.file(".json");
    try {
      var command =
          List.of(
              troupe.toString(),
              "run",
              app.name(),
              "--size",
              "paper",
              "--rounds",
              "1",
              "--warm-up",
              "0",
              "--report",
              report.toString());
      var began = System.nanoTime();
      ExternalCommand.run(app.name(), Path.of("."), command);
      var whole = (System.nanoTime() - began) / 1e9;
      var run = AppRun.of(Files.readString(report));
      var sequential = run.figure("baseSeconds");
      samples.add(row(app), whole - sequential);
      samples.add(row(app) + SEQUENTIAL, sequential);
      samples.add(row(app) + PARALLEL, run.figure("seconds"));
    } finally {
      TerminationCleanup.delete(report);
    }
  }
}
