package org.troupe.benchmarks.models;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.PythonProgram;
import org.troupe.benchmarks.harness.RowGoal;

/** Empty tasks a second: farms and forks on two workers, against calls, pools, Dask and Ray. */
public final class FarmBenchmark implements Benchmark {

  private static final int NODES = 2;
  private static final String RATE = "1/s";

  private static final PythonProgram DASK =
      new PythonProgram(
          FarmBenchmark.class, "dask_tasks.py", "distributed", List.of("distributed"));
  private static final PythonProgram RAY =
      new PythonProgram(FarmBenchmark.class, "ray_tasks.py", "ray", List.of("ray"));

  @Override
  public String name() {
    return "farm";
  }

  @Override
  public String about() {
    return "empty tasks a second on two workers, against ForkJoinPool, Dask and Ray; a part of models";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.addAll(onNodes(effort));
    rows.addAll(here(effort));
    return rows;
  }

  private static List<BenchmarkRow> onNodes(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE)) {
      var ours = ModelSides.start(EmptyTasks.class, effort.roundMillis(), NODES);
      add(contest, ours, EmptyTasks.FARM, EmptyTasks.TASKS, EmptyTasks.ASKS);
      for (var peer : List.of(DASK, RAY)) {
        var missing = peer.whyUnavailable();
        if (missing.isPresent()) {
          contest.markUnavailable(peer.library(), missing.get());
        } else {
          add(contest, peer.start(), peer.library());
        }
      }
      contest.run(effort.rounds());
      return List.of(
          contest.row(
              "farm-small", RATE, EmptyTasks.FARM, EmptyTasks.ASKS, RowGoal.ratio(AT_LEAST, 3)),
          contest.row("farm-small-by-dask", RATE, EmptyTasks.FARM, DASK.library(), null),
          contest.row("farm-small-by-ray", RATE, EmptyTasks.FARM, RAY.library(), null),
          contest.row("tasks-empty-by-dask", RATE, EmptyTasks.TASKS, DASK.library(), null),
          contest.row("tasks-empty-by-ray", RATE, EmptyTasks.TASKS, RAY.library(), null));
    }
  }

  private static List<BenchmarkRow> here(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE)) {
      var here = ModelSides.start(EmptyTasks.class, effort.roundMillis(), 0);
      add(contest, here, EmptyTasks.FARM, EmptyTasks.SUBMITS, EmptyTasks.TASKS, EmptyTasks.FORKS);
      contest.run(effort.rounds());
      return List.of(
          contest.row("farm-here-by-fork-join", RATE, EmptyTasks.FARM, EmptyTasks.SUBMITS, null),
          contest.row(
              "tasks-empty-here-by-fork-join", RATE, EmptyTasks.TASKS, EmptyTasks.FORKS, null));
    }
  }

  private static void add(BenchmarkContest contest, ContenderProcess contender, String... loads) {
    for (var load : loads) {
      contest.add(load, contender, load, micros -> 1e6 / micros);
    }
  }
}
