package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.deployment.Grid;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.RunningGrid;

/** The cost to a grid of a client in another process that watches all rows and the past. */
public final class WatchedGridBenchmark implements Benchmark {

  private static final int MANY = 1_000;
  private static final int FEW = 4;
  private static final int WATCHED_SECONDS = 30;

  @Override
  public String name() {
    return "watch";
  }

  @Override
  public String about() {
    return "the cost of a client that watches, to nodes and launcher; 4 nodes, and 1,000 posing hosts";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var few = DeploymentBenchmark.figures(WatchedProgram.class, FEW);
    var many = SimulatedHosts.watchedFigures(MANY, WATCHED_SECONDS);
    var note = "of a core, while a client in another process watches all rows for 30 s";
    var posing = note + "; one JVM simulates all hosts on this machine";
    return List.of(
        row("watched-node-cpu", "%", few.get(0), RowGoal.ours(AT_MOST, 0.2), note),
        row("unwatched-node-cpu", "%", few.get(1), null, "of a core, of an idle node"),
        row("watched-launcher-cpu", "%", few.get(2), RowGoal.ours(AT_MOST, 2), note),
        row("watched-1000-launcher-cpu", "%", many.get(0), RowGoal.ours(AT_MOST, 5), posing),
        row(
            "watched-1000-launcher-heap",
            "MiB",
            many.get(1),
            RowGoal.ours(AT_MOST, 128),
            "after a collection"));
  }

  private static BenchmarkRow row(
      String name, String unit, double figure, @Nullable RowGoal goal, String note) {
    return new BenchmarkRow(name, unit, FigureSpread.of(List.of(figure)), null, goal, note);
  }

  /** Reads the stream of a program, given by its process id, until it is ended. */
  static final class WatchingClient {

    static void main(String[] arguments) throws IOException {
      grid(arguments[0])
          .watch(
              Duration.ofSeconds(1),
              "nodes,methods,queues,waits,collectives,cycles,classes,pairs,failures,events,jobs,vitals",
              "",
              _ -> true);
    }
  }

  private static RunningGrid grid(String pid) {
    return RunningGrid.all().stream()
        .filter(each -> each.id().equals(pid))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no deployment of process " + pid));
  }

  /** Lets another process watch the deployment of this one. */
  static Process startClient() throws IOException {
    return new ProcessBuilder(
            JvmCommand.command(
                WatchingClient.class.getName(),
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                ProcessHandle.current().pid()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Returns the processor seconds of this process. */
  static double cpuSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
  }

  /** Returns the used heap of this process after a collection, in MiB. */
  static double heapMebi() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / (double) (1 << 20);
  }

  /**
   * Prints the share of a core that a node takes while it is watched and while it is not, and that
   * of the launcher while it is watched, in percent.
   */
  static final class WatchedProgram {

    private static final long SETTLING_MILLIS = 10_000; // until background compilation has ended

    static void main(String[] arguments) throws Exception {
      try (var _ = Grid.local(Integer.parseInt(arguments[0]))) {
        Thread.sleep(SETTLING_MILLIS);
        var idle = nodePercent();
        var client = startClient();
        try {
          Thread.sleep(SETTLING_MILLIS);
          var began = cpuSeconds();
          var watched = nodePercent();
          var ended = cpuSeconds();
          System.out.println(watched);
          System.out.println(idle);
          System.out.println((ended - began) / WATCHED_SECONDS * 100);
        } finally {
          client.destroyForcibly().waitFor();
        }
      }
    }

    private static double nodePercent() throws IOException, InterruptedException {
      var before = load();
      Thread.sleep(Duration.ofSeconds(WATCHED_SECONDS));
      return (load().cpuSeconds() - before.cpuSeconds()) / WATCHED_SECONDS * 100;
    }

    private static GridStatus.Load load() throws IOException {
      var status = grid(Long.toString(ProcessHandle.current().pid())).status();
      return Objects.requireNonNull(status.nodes().getFirst().load(), "no report");
    }
  }
}
