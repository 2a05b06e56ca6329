package org.troupe.benchmarks.apps;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.MpiProgram;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;

/**
 * The rows of the conjugate gradient kernel against a program in C with MPI, with both
 * decompositions. Not thread-safe.
 */
final class ConjugateGradientRows implements AutoCloseable {

  private static final String NAME = "cg";
  private static final String SOURCES = "cg-c/";
  private static final List<String> FILES = List.of("Makefile", "matrix.h", "matrix.c", "cg.c");

  private static final Pattern SECONDS = Pattern.compile("seconds ([.0-9]+)");
  private static final RowGoal NEAR = RowGoal.ratio(AT_MOST, 1.1);
  private static final String UNIT = "s";

  /**
   * A configuration to measure.
   *
   * @param problem the problem class of NAS
   * @param isLong whether one round takes half a minute, so that there is only one, and no warm-up
   */
  private record Case(String problem, String decomposition, int processes, boolean isLong) {
    String row() {
      return "app-cg-" + problem + "-" + decomposition + "-" + processes;
    }
  }

  private final Optional<App> app;
  private final int rounds;
  private final List<Case> cases = new ArrayList<>();
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> failures = new LinkedHashMap<>(); // by row
  private String unavailability = ""; // why the peer is missing, or empty
  private @Nullable MpiProgram peer;

  ConjugateGradientRows(List<App> apps, MeasurementEffort effort) {
    app = apps.stream().filter(each -> each.name().equals(NAME)).findFirst();
    rounds = effort.appRounds();
    for (var problem : effort.isQuick() ? List.of("A") : List.of("A", "B")) {
      for (var decomposition : List.of("rows", "blocks")) {
        for (var processes : effort.isQuick() ? List.of(2) : List.of(1, 2)) {
          cases.add(new Case(problem, decomposition, processes, problem.equals("B")));
        }
      }
    }
  }

  /** Builds the peer; if that fails, its rows are not compared. */
  void open() throws InterruptedException {
    if (app.isEmpty()) {
      return;
    }
    unavailability = MpiProgram.whyUnavailable("mpicc", "gcc").orElse("");
    if (unavailability.isEmpty()) {
      try {
        peer = MpiProgram.of(ConjugateGradientRows.class, NAME, SOURCES, FILES);
      } catch (IOException e) {
        unavailability = "the peer could not be built: " + e.getMessage();
      }
    }
  }

  /** Runs both sides of all cases once. */
  void run() throws InterruptedException {
    for (var each : cases) {
      if (app.isPresent() && !failures.containsKey(each.row())) {
        run(each);
      }
    }
  }

  /** Runs both sides of a case; a failure costs only its row. */
  private void run(Case each) throws InterruptedException {
    System.err.println("  " + each.row());
    var itsRounds = each.isLong ? 1 : rounds;
    try {
      samples.add(
          each.row(),
          AppRun.of(
                  app.get(),
                  "--class",
                  each.problem,
                  "--decomposition",
                  each.decomposition,
                  "--jvms",
                  each.processes,
                  "--rounds",
                  itsRounds,
                  "--warm-up",
                  each.isLong ? 0 : AppRun.SHORT_WARM_UP_SECONDS)
              .figure("seconds"));
      if (peer != null) {
        var output = peer.run(each.processes, List.of(each.problem, each.decomposition, itsRounds));
        samples.add(each.row() + "-peer", seconds(output));
      }
    } catch (IOException e) {
      System.err.println(e.getMessage());
      failures.put(each.row(), "a run failed");
    }
  }

  static double seconds(String output) throws IOException {
    var found = SECONDS.matcher(output);
    if (!found.find()) {
      throw new IOException("the C program printed no seconds, but: " + output);
    }
    return Double.parseDouble(found.group(1));
  }

  List<BenchmarkRow> rows() {
    if (app.isEmpty()) {
      return List.of();
    }
    return cases.stream().map(this::row).toList();
  }

  private BenchmarkRow row(Case each) {
    var name = each.row();
    if (failures.containsKey(name)) {
      return BenchmarkRow.unmeasured(name, UNIT, NEAR, failures.get(name));
    }
    return new BenchmarkRow(
        name,
        UNIT,
        samples.of(name),
        samples.of(name + "-peer"),
        peer == null ? null : NEAR,
        peer == null ? "not compared: " + unavailability : "");
  }

  @Override
  public void close() {
    if (peer != null) {
      peer.close();
    }
  }
}
