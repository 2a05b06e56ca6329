package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.ABOVE;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.IdleMillion;

/** A million idle active objects, against as many parked virtual threads. */
public final class IdleObjectsBenchmark implements Benchmark {

  /** The heap suffices for the reference, whose stacks are on the heap. */
  private static final List<String> OPTIONS = List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC");

  private static final String OURS = "ours";
  private static final String REFERENCE = "reference";

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String about() {
    return "a million idle active objects, against as many parked virtual threads";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    return List.of(
        row("idle-heap", "MiB", IdleMillion.Quantity.HEAP, RowGoal.ours(BELOW, 512), effort),
        row(
            "idle-creation",
            "million/s",
            IdleMillion.Quantity.CREATION,
            RowGoal.ours(ABOVE, 1),
            effort),
        observed(effort));
  }

  /** Measures the heap of objects whose requests are timed, against that of unobserved ones. */
  private static BenchmarkRow observed(MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var timed = start(ObservationTier.TIMES);
        var unobserved = start(ObservationTier.OFF)) {
      contest.add(OURS, timed::turn);
      contest.add(REFERENCE, unobserved::turn);
      contest.run(effort.longRounds());
      return contest.row("observed-idle-heap", "MiB", OURS, REFERENCE, RowGoal.ours(BELOW, 512));
    }
  }

  private static ContenderProcess start(ObservationTier tier) throws IOException {
    var options =
        Stream.concat(OPTIONS.stream(), Stream.of("-D" + ObservationTier.PROPERTY + "=" + tier))
            .toList();
    return ContenderProcess.start(
        IdleMillion.class,
        CorePinning.NONE,
        options,
        IdleMillion.Quantity.HEAP,
        IdleMillion.Item.ACTIVE_OBJECTS);
  }

  private static BenchmarkRow row(
      String name, String unit, IdleMillion.Quantity kind, RowGoal goal, MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.NONE);
        var ours = start(kind, IdleMillion.Item.ACTIVE_OBJECTS);
        var reference = start(kind, IdleMillion.Item.VIRTUAL_THREADS)) {
      contest.add(OURS, ours::turn);
      contest.add(REFERENCE, reference::turn);
      contest.run(effort.longRounds());
      return contest.row(name, unit, OURS, REFERENCE, goal);
    }
  }

  private static ContenderProcess start(IdleMillion.Quantity kind, IdleMillion.Item item)
      throws IOException {
    return ContenderProcess.start(IdleMillion.class, CorePinning.NONE, OPTIONS, kind, item);
  }
}
