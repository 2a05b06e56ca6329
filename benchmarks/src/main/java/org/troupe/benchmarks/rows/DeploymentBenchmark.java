package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.DistributionCommand;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.deployment.runs.GridStatus;
import org.troupe.deployment.runs.RunningGrid;

/** The time until nodes are usable, and the cost of an idle node. */
public final class DeploymentBenchmark implements Benchmark {

  private static final int[] JVMS = {1, 2, 8};
  private static final int TURNS_AT_LEAST = 5;
  private static final int[] SIMULATED_HOSTS = {100, 300, 1000, 3000};
  private static final int FEW_ENOUGH_FOR_A_QUICK_RUN = 1000;
  private static final String RUN_HELLO = "run-hello";
  private static final String RUN_HELLO_2_JVMS = "run-hello-2-jvms";

  @Override
  public String name() {
    return "deploy";
  }

  @Override
  public String about() {
    return "from Grid.local to the first answers, and the cost of an idle node";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<BenchmarkRow>();
    var turns = Math.max(TURNS_AT_LEAST, effort.rounds());
    for (var jvms : JVMS) {
      var grid = new ArrayList<Double>();
      var program = new ArrayList<Double>();
      var hello = new ArrayList<Double>();
      for (var turn = 0; turn < turns; turn++) {
        hello.add(helloMillis(jvms));
        var began = System.nanoTime();
        grid.add(figures(DeployedProgram.class, jvms).getFirst());
        program.add((System.nanoTime() - began) / 1e6);
      }
      var name = "deploy-" + jvms + (jvms == 1 ? "-jvm" : "-jvms");
      rows.add(
          new BenchmarkRow(
              name,
              "ms",
              FigureSpread.of(grid),
              FigureSpread.of(hello),
              jvms == 2 || jvms == 8 ? RowGoal.ratio(AT_MOST, 3) : null,
              "against as many hello-world programs in sequence"));
      rows.add(
          new BenchmarkRow(
              name + "-whole-program",
              "ms",
              FigureSpread.of(program),
              FigureSpread.of(hello),
              null,
              "including the program's own JVM and its end"));
    }
    rows.addAll(runCommand(turns));
    rows.addAll(simulatedHosts(effort));
    var idle = figures(IdleNode.class);
    rows.add(
        new BenchmarkRow("idle-node-heap", "MiB", FigureSpread.of(idle.subList(0, 1)), null, null));
    rows.add(
        new BenchmarkRow(
            "idle-node-resident",
            "MiB",
            FigureSpread.of(idle.subList(1, 2)),
            null,
            RowGoal.ours(AT_MOST, 60)));
    rows.add(
        new BenchmarkRow(
            "idle-node-cpu",
            "ms/min",
            FigureSpread.of(idle.subList(2, 3)),
            null,
            RowGoal.ours(AT_MOST, 30)));
    return rows;
  }

  /**
   * Deploys to growing numbers of hosts, so that a cost can be seen that grows faster than their
   * number.
   */
  private static List<BenchmarkRow> simulatedHosts(MeasurementEffort effort)
      throws InterruptedException {
    var note = "one JVM simulates all hosts; it shares this machine with the launcher";
    var rows = new ArrayList<BenchmarkRow>();
    for (var hosts : SIMULATED_HOSTS) {
      if (effort.isQuick() && hosts > FEW_ENOUGH_FOR_A_QUICK_RUN) {
        continue; // it takes minutes
      }
      var time = "deploy-" + hosts + "-posing-hosts";
      var processor = "deploy-" + hosts + "-launcher-cpu";
      var goals = hosts == 1000;
      var timeGoal = goals ? RowGoal.ours(AT_MOST, 12) : null;
      var processorGoal = goals ? RowGoal.ours(AT_MOST, 6) : null;
      try {
        var figures = SimulatedHosts.figures(hosts);
        rows.add(row(time, figures.get(0), timeGoal, note));
        rows.add(row(processor, figures.get(1), processorGoal, note));
      } catch (IOException failure) { // the other numbers of hosts still count
        var reason = String.valueOf(failure.getMessage());
        rows.add(BenchmarkRow.unmeasured(time, "s", timeGoal, reason));
        rows.add(BenchmarkRow.unmeasured(processor, "s", processorGoal, reason));
      }
    }
    return rows;
  }

  private static BenchmarkRow row(
      String name, double seconds, @Nullable RowGoal goal, String note) {
    return new BenchmarkRow(name, "s", FigureSpread.of(List.of(seconds)), null, goal, note);
  }

  /** Measures the smallest applications as a user starts them, against a bare hello world. */
  private static List<BenchmarkRow> runCommand(int turns) throws IOException, InterruptedException {
    var note = "against one JVM without options that prints a line";
    var troupe = DistributionCommand.path();
    if (troupe.isEmpty()) {
      var reason = "this JVM was not started by ./troupe";
      return List.of(
          BenchmarkRow.unmeasured(RUN_HELLO, "ms", null, reason),
          BenchmarkRow.unmeasured(RUN_HELLO_2_JVMS, "ms", null, reason));
    }
    var samples = new RoundSamples();
    for (var turn = 0; turn < turns; turn++) {
      samples.add("bare", millis(JvmCommand.command(Hello.class.getName(), List.of())));
      samples.add(RUN_HELLO, millis(command(troupe.get(), Hello.class)));
      samples.add(RUN_HELLO_2_JVMS, millis(command(troupe.get(), DeployedProgram.class, 2)));
    }
    return Stream.of(RUN_HELLO, RUN_HELLO_2_JVMS)
        .map(name -> new BenchmarkRow(name, "ms", samples.of(name), samples.of("bare"), null, note))
        .toList();
  }

  private static List<String> command(Path troupe, Class<?> main, Object... arguments) {
    var jar = main.getProtectionDomain().getCodeSource().getLocation().getPath();
    var command = new ArrayList<>(List.of(troupe.toString(), "run", "--class-path", jar));
    command.addAll(List.of("--main", main.getName()));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return command;
  }

  private static double millis(List<String> command) throws IOException, InterruptedException {
    var began = System.nanoTime();
    ExternalCommand.run(String.join(" ", command), Path.of("."), command);
    return (System.nanoTime() - began) / 1e6;
  }

  private static double helloMillis(int count) throws IOException, InterruptedException {
    var began = System.nanoTime();
    for (var i = 0; i < count; i++) {
      figures(Hello.class);
    }
    return (System.nanoTime() - began) / 1e6;
  }

  /** Runs a program of this module to its end; returns the figures that it prints. */
  static List<Double> figures(Class<?> main, Object... arguments)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(JvmCommand.command(main.getName(), aotCacheOptions(), arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var figures = new ArrayList<Double>();
    try (BufferedReader lines = process.inputReader()) {
      for (String line; (line = lines.readLine()) != null; ) {
        if (line.startsWith("[")) { // output of a node, such as a warning of its JVM
          System.err.println(line);
        } else {
          figures.add(Double.valueOf(line));
        }
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException(main.getSimpleName() + " failed with exit code " + process.exitValue());
    }
    return figures;
  }

  /** Returns options with which programs and their nodes use the AOT cache of this benchmark. */
  private static List<String> aotCacheOptions() {
    var cache = System.getProperty("troupe.aotCache");
    if (cache == null) {
      return List.of();
    }
    var options = new ArrayList<>(JvmCommand.TROUPE_OPTIONS);
    options.add("-XX:CompileThresholdScaling=5"); // as ./troupe run
    options.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Dtroupe.aotCache=" + cache));
    return options;
  }

  /** The smallest program. */
  static final class Hello {
    static void main(String[] arguments) {
      System.out.println(0);
    }
  }

  /** Prints the milliseconds until all nodes have answered. */
  static final class DeployedProgram {

    /** An active object that answers. */
    static class Answering {
      int answer() {
        return 42;
      }
    }

    static void main(String[] arguments) {
      var began = System.nanoTime();
      try (var grid = org.troupe.deployment.Grid.local(Integer.parseInt(arguments[0]))) {
        for (var node : grid.nodes()) {
          ActiveObjects.on(node).create(Answering.class).answer();
        }
        System.out.println((System.nanoTime() - began) / 1e6);
      }
    }
  }

  /**
   * Prints the heap and the resident memory of an idle node in MiB, and its processor time in ms
   * per minute.
   */
  static final class IdleNode {

    private static final long SETTLING_MILLIS = 10_000;
    private static final long WATCHED_MILLIS = 20_000;
    private static final double MEBI = 1 << 20;

    static void main(String[] arguments) throws Exception {
      try (var _ = org.troupe.deployment.Grid.local(1)) {
        Thread.sleep(SETTLING_MILLIS); // until background compilation has ended
        var before = load();
        Thread.sleep(WATCHED_MILLIS);
        var after = load();
        System.out.println(after.heapUsedBytes() / MEBI);
        System.out.println(after.residentBytes() / MEBI);
        System.out.println(
            (after.cpuSeconds() - before.cpuSeconds()) * 1e3 * 60_000 / WATCHED_MILLIS);
      }
    }

    private static GridStatus.Load load() throws IOException {
      var pid = Long.toString(ProcessHandle.current().pid());
      for (var grid : RunningGrid.all()) {
        if (grid.id().equals(pid)) {
          return Objects.requireNonNull(grid.status().nodes().getFirst().load(), "no report");
        }
      }
      throw new IOException("the deployment of this process was not found");
    }
  }
}
