package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
import org.troupe.benchmarks.sides.SerializationLoop.Library;

/** Encoding and decoding of object graphs, against hand-written code and other libraries. */
public final class SerializationBenchmark implements Benchmark {

  /** The graph with cycles is deep, and all sides but ours recurse. */
  private static final List<String> OPTIONS = List.of("-Xmx1g", "-Xss16m");

  /** These two use methods of {@code sun.misc.Unsafe}, of which the JDK warns. */
  private static final Set<Library> UNSAFE = EnumSet.of(Library.FORY, Library.KRYO);

  private static final List<String> UNSAFE_OPTIONS =
      List.of("-Xmx1g", "-Xss16m", "--sun-misc-unsafe-memory-access=allow");

  private static final Set<Library> PEERS = EnumSet.of(Library.FORY, Library.KRYO, Library.JAVA_IO);
  private static final Set<Library> SPECIALISED =
      EnumSet.of(Library.CLASS, Library.SITE, Library.SITE_CYCLE, Library.SITE_REUSE, Library.ALL);

  @Override
  public String name() {
    return "serialization";
  }

  @Override
  public String about() {
    return "encoding and decoding of graphs, against hand-written code, Fory, Kryo and java.io";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var rows = new ArrayList<BenchmarkRow>();
    var shorter = effort.forLargeTable();
    for (var payload : PayloadGraph.values()) {
      rows.addAll(againstPeers(payload, shorter));
      rows.add(bytes(payload));
    }
    for (var payload : List.of(PayloadGraph.LIST_100, PayloadGraph.DOUBLES_16_16)) {
      rows.addAll(specialised(payload, shorter));
    }
    return rows;
  }

  private static List<BenchmarkRow> againstPeers(PayloadGraph payload, MeasurementEffort effort)
      throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      enter(contest, payload, Library.TROUPE, effort);
      enter(contest, payload, Library.HAND, effort);
      for (var peer : PEERS) {
        enter(contest, payload, peer, effort);
      }
      contest.run(effort.rounds());
      var name = "serialize-" + payload.label();
      var rows = new ArrayList<BenchmarkRow>();
      rows.add(row(contest, name, Library.TROUPE, Library.HAND, RowGoal.ratio(AT_MOST, 1.3)));
      for (var peer : PEERS) {
        rows.add(
            row(contest, name + "-by-" + label(peer), Library.TROUPE, peer, goal(payload, peer)));
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
          .map(by -> row(contest, name + label(by), by, Library.CLASS, null))
          .toList();
    }
  }

  private static void enter(
      BenchmarkContest contest, PayloadGraph payload, Library by, MeasurementEffort effort)
      throws IOException {
    contest.add(
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
      BenchmarkContest contest,
      String name,
      Library ours,
      Library reference,
      @Nullable RowGoal goal) {
    return contest.row(name, "us", label(ours), label(reference), goal);
  }

  private static RowGoal goal(PayloadGraph payload, Library peer) {
    var linked = payload == PayloadGraph.LIST_100 || payload == PayloadGraph.TREE_1023;
    if (peer != Library.FORY) {
      return RowGoal.ratio(AT_MOST, 1);
    }
    return RowGoal.ratio(AT_MOST, linked ? 1 / 1.5 : 0.9);
  }

  private static BenchmarkRow bytes(PayloadGraph payload) {
    return new BenchmarkRow(
        "bytes-" + payload.label(),
        "bytes",
        FigureSpread.of(List.of((double) Library.TROUPE.size(payload))),
        FigureSpread.of(List.of((double) Library.HAND.size(payload))),
        RowGoal.ratio(AT_MOST, 1.1));
  }

  private static String label(Library by) {
    return by.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
