package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.sides.PayloadGraph;
import org.troupe.benchmarks.sides.SerializationLoop;
import org.troupe.benchmarks.sides.SerializationLoop.By;

/** Graphs through bytes and back, against code written by hand and what others use. */
public final class SerializationBenchmark implements Benchmark {

  private static final List<String> OPTIONS = List.of("-Xmx1g");

  /** These two go by what the JDK warns of. */
  private static final Set<By> UNSAFE = EnumSet.of(By.FORY, By.KRYO);

  private static final List<String> UNSAFE_OPTIONS =
      List.of("-Xmx1g", "--sun-misc-unsafe-memory-access=allow");

  private static final Set<By> PEERS = EnumSet.of(By.FORY, By.KRYO, By.JAVA_IO);
  private static final Set<By> SPECIALISED =
      EnumSet.of(By.CLASS, By.SITE, By.SITE_CYCLE, By.SITE_REUSE, By.ALL);

  @Override
  public String name() {
    return "serialization";
  }

  @Override
  public String about() {
    return "graphs through bytes and back, against code by hand, Fory, Kryo and java.io";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<BenchmarkRow>();
    for (var payload : PayloadGraph.values()) {
      rows.addAll(againstPeers(payload, effort));
      rows.add(bytes(payload));
    }
    for (var payload : List.of(PayloadGraph.LIST_100, PayloadGraph.DOUBLES_16_16)) {
      rows.addAll(specialised(payload, effort));
    }
    return rows;
  }

  private static List<BenchmarkRow> againstPeers(PayloadGraph payload, MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      enter(contest, payload, By.TROUPE, effort);
      enter(contest, payload, By.HAND, effort);
      for (var peer : PEERS) {
        enter(contest, payload, peer, effort);
      }
      contest.run(effort.rounds());
      var name = "serialize-" + payload.label();
      var rows = new ArrayList<BenchmarkRow>();
      rows.add(row(contest, name, By.TROUPE, By.HAND, RowGoal.ratio(AT_MOST, 1.5)));
      for (var peer : PEERS) {
        rows.add(row(contest, name + "-by-" + label(peer), By.TROUPE, peer, goal(payload, peer)));
      }
      return rows;
    }
  }

  private static List<BenchmarkRow> specialised(PayloadGraph payload, MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      for (var by : SPECIALISED) {
        enter(contest, payload, by, effort);
      }
      contest.run(effort.rounds());
      var name = "specialised-" + payload.label() + "-";
      return SPECIALISED.stream()
          .map(by -> row(contest, name + label(by), by, By.CLASS, null))
          .toList();
    }
  }

  private static void enter(
      BenchmarkContest contest, PayloadGraph payload, By by, MeasurementEffort effort)
      throws IOException {
    contest.enter(
        label(by),
        ContenderProcess.start(
            SerializationLoop.class,
            CorePinning.ONE_CORE,
            UNSAFE.contains(by) ? UNSAFE_OPTIONS : OPTIONS,
            payload,
            by,
            effort.roundMillis()));
  }

  private static BenchmarkRow row(
      BenchmarkContest contest, String name, By ours, By reference, RowGoal goal) {
    return contest.row(name, "us", label(ours), label(reference), goal);
  }

  private static RowGoal goal(PayloadGraph payload, By peer) {
    var linked = payload == PayloadGraph.LIST_100 || payload == PayloadGraph.TREE_1023;
    return RowGoal.ratio(AT_MOST, peer == By.FORY && linked ? 1 / 1.5 : 1);
  }

  private static BenchmarkRow bytes(PayloadGraph payload) {
    return new BenchmarkRow(
        "bytes-" + payload.label(),
        "bytes",
        FigureSpread.of(List.of((double) By.TROUPE.size(payload))),
        FigureSpread.of(List.of((double) By.HAND.size(payload))),
        RowGoal.ratio(AT_MOST, 1.1));
  }

  private static String label(By by) {
    return by.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
