package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.TaskLoops;

/** Forks and joins of tasks in one JVM, against those of {@code ForkJoinPool} and plain calls. */
public final class TasksBenchmark implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseG1GC");

  @Override
  public String name() {
    return "tasks";
  }

  @Override
  public String about() {
    return "forks and joins of tasks, against ForkJoinPool and plain calls";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<BenchmarkRow>();
    try (var contest = contest(TaskLoops.Quantity.TIME, CorePinning.ONE_CORE, 1, effort)) {
      rows.add(row(contest, "tasks-fork", "ns", TaskLoops.Form.JOB, TaskLoops.Form.FORK_JOIN, 1.0));
      rows.add(
          row(contest, "tasks-lambda", "ns", TaskLoops.Form.SCOPE, TaskLoops.Form.FORK_JOIN, 2.0));
      rows.add(
          row(contest, "tasks-fork-by-call", "ns", TaskLoops.Form.JOB, TaskLoops.Form.CALL, null));
    }
    try (var contest = contest(TaskLoops.Quantity.BYTES, CorePinning.ONE_CORE, 1, effort)) {
      rows.add(row(contest, "tasks-bytes", "B", TaskLoops.Form.JOB, TaskLoops.Form.FORK_JOIN, 1.0));
      rows.add(
          row(
              contest,
              "tasks-bytes-lambda",
              "B",
              TaskLoops.Form.SCOPE,
              TaskLoops.Form.FORK_JOIN,
              null));
    }
    try (var contest = contest(TaskLoops.Quantity.TIME, CorePinning.NONE, 2, effort)) {
      rows.add(
          row(
              contest,
              "tasks-speed-up-here",
              "ns",
              TaskLoops.Form.JOB,
              TaskLoops.Form.FORK_JOIN,
              1.05));
    }
    return rows;
  }

  private static BenchmarkContest contest(
      TaskLoops.Quantity quantity, CorePinning pinning, int workers, MeasurementEffort effort)
      throws IOException, InterruptedException {
    var contest = new BenchmarkContest(pinning);
    for (var form : TaskLoops.Form.values()) {
      contest.add(
          form.name(),
          ContenderProcess.start(
              TaskLoops.class, pinning, OPTIONS, quantity, form, workers, effort.roundMillis()));
    }
    contest.run(effort.rounds());
    return contest;
  }

  private static BenchmarkRow row(
      BenchmarkContest contest,
      String name,
      String unit,
      TaskLoops.Form ours,
      TaskLoops.Form reference,
      @Nullable Double most) {
    return contest.row(
        name,
        unit,
        ours.name(),
        reference.name(),
        most == null ? null : RowGoal.ratio(AT_MOST, most));
  }
}
