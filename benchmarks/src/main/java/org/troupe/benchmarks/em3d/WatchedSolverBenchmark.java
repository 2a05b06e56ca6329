package org.troupe.benchmarks.em3d;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.deployment.runs.RunningGrid;

/** A step of the solver on two JVMs while a client watches, against one that is not watched. */
public final class WatchedSolverBenchmark implements Benchmark {

  private static final String MESH = "cube:65";
  private static final int JVMS = 2;
  private static final String WATCHED = "watched";
  private static final String UNWATCHED = "unwatched";
  private static final long LOOK_MILLIS = 100; // the interval of looks for the deployment

  @Override
  public String name() {
    return "watch-em3d";
  }

  @Override
  public String about() {
    return "a step of the solver on two JVMs that are watched, against one of two that are not";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var samples = new RoundSamples();
    for (var round = 0; round < effort.longRounds(); round++) {
      samples.add(UNWATCHED, step(effort));
      var client = Thread.ofPlatform().daemon().start(WatchedSolverBenchmark::watchSolver);
      try {
        samples.add(WATCHED, step(effort));
      } finally {
        client.interrupt();
        client.join();
      }
    }
    return List.of(
        new BenchmarkRow(
            "observed-em3d-2-jvm",
            "ms",
            samples.of(WATCHED),
            samples.of(UNWATCHED),
            RowGoal.ratio(AT_MOST, 1.02)));
  }

  private static double step(MeasurementEffort effort) throws IOException, InterruptedException {
    return SolverRun.of(MESH, JVMS, effort.solverSteps(), "--transport", "ibis").millisPerStep();
  }

  /** Watches the deployment of a child of this process until it ends. */
  private static void watchSolver() {
    try {
      while (true) {
        var ours =
            RunningGrid.all().stream()
                .filter(
                    each ->
                        ProcessHandle.current()
                            .descendants()
                            .anyMatch(child -> each.id().equals(Long.toString(child.pid()))))
                .findFirst();
        if (ours.isPresent()) {
          ours.get().watch(Duration.ofSeconds(1), "", "", _ -> true);
          return;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the solver could not be watched", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run has ended
    }
  }
}
