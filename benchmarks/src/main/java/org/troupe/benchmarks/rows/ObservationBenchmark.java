package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.EarlierBuild;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.ObservedCalls;

/** What it costs to observe calls: each tier against none, and none against an earlier build. */
public final class ObservationBenchmark implements Benchmark {

  private static final String EARLIER = "earlier";

  private final ObservedCalls calls;

  private ObservationBenchmark(ObservedCalls calls) {
    this.calls = calls;
  }

  /** Measures all kinds of calls, each of which can be measured by its name, too. */
  public static Benchmark all() {
    return new ObservationBenchmark(ObservedCalls.NULL_CALL);
  }

  @Override
  public String name() {
    return calls == ObservedCalls.NULL_CALL ? "observe" : "observe-" + calls.row();
  }

  @Override
  public String about() {
    return calls == ObservedCalls.NULL_CALL
        ? "calls that are counted, timed and traced, against calls that are not"
        : "the same for calls of the kind " + calls.row() + "; a part of observe";
  }

  @Override
  public List<Benchmark> further() {
    return calls == ObservedCalls.NULL_CALL
        ? Stream.concat(
                Stream.of(ObservedCalls.values())
                    .filter(each -> each != ObservedCalls.NULL_CALL)
                    .map(ObservationBenchmark::new),
                Stream.of(new PageBenchmark()))
            .toList()
        : List.of();
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var pinning = CorePinning.ONE_CORE;
    var missing = EarlierBuild.whyUnavailable();
    try (var contest = new BenchmarkContest(pinning)) {
      for (var tier : ObservationTier.values()) {
        contest.add(
            tier.toString(), calls.start(tier, pinning, effort), calls.load(), calls::micros);
      }
      if (missing.isEmpty()) {
        var earlier = EarlierBuild.named().orElseThrow();
        contest.add(EARLIER, calls.start(earlier, pinning, effort), calls.load(), calls::micros);
      }
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var tier : ObservationTier.values()) {
        var name = "observed-" + tier + "-" + calls.row();
        var against = tier == ObservationTier.OFF ? EARLIER : ObservationTier.OFF.toString();
        rows.add(
            tier == ObservationTier.OFF && missing.isPresent()
                ? BenchmarkRow.unmeasured(name, "us", goal(tier), missing.get())
                : contest.row(name, "us", tier.toString(), against, goal(tier)));
      }
      return rows;
    }
  }

  private RowGoal goal(ObservationTier tier) {
    return switch (tier) {
      case OFF -> RowGoal.ratio(AT_MOST, 1.01);
      case COUNTS -> RowGoal.ratio(AT_MOST, 1.02);
      case TIMES -> RowGoal.ratio(AT_MOST, 1.05);
      // Three readings of the clock and a record; a local call takes not much longer itself.
      case TRACE -> RowGoal.ratio(AT_MOST, calls == ObservedCalls.NULL_CALL ? 1.1 : 3);
    };
  }
}
