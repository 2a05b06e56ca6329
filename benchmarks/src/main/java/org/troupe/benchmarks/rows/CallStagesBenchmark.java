package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.sides.ArgumentCopies;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/**
 * The breakdown of the time of a call, as in the papers: serialization, transport and the call
 * itself. Each row is a stage against the whole call, so its ratio is the stage's share.
 */
public final class CallStagesBenchmark implements Benchmark {

  /*
   * Definition of the stages. Serialization is the time of the serializer to encode and decode argument
   * and result, without a call. A large array is not encoded: its transfer into an existing array
   * counts as transport, the allocation of a new array as call. Transport is a round trip of equally
   * many bytes over the layer below the transport: a link of the default driver for ibis, a bare call
   * of the JDK with a byte[] for rmi. The rest is the call: recording, queues, threads, matching of
   * replies.
   */
  private static final List<String> LOADS =
      List.of(CalleeLoads.CALL, CalleeLoads.TREE + 15, CalleeLoads.DOUBLES + 12_500);

  private static final List<String> NAMES = List.of("null", "tree-15", "double-12500");

  private static final String SERIALIZATION = "serialization";
  private static final String TRANSPORT = "transport";
  private static final String CALL = "call";
  private static final String UNIT = "us";

  @Override
  public String name() {
    return "stages";
  }

  @Override
  public String about() {
    return "serialization, transport and call overhead, each against the whole call";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      enter(contest, new ContenderSides(CorePinning.ONE_CORE, effort.forLargeTable()));
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var i = 0; i < LOADS.size(); i++) {
        for (var transport : List.of("ibis", "rmi")) {
          rows.addAll(rows(contest, NAMES.get(i), LOADS.get(i), transport));
        }
      }
      return rows;
    }
  }

  private static void enter(BenchmarkContest contest, ContenderSides sides) throws IOException {
    var ibis = sides.troupe("ibis");
    var rmi = sides.troupe("rmi");
    var link = sides.link();
    var bareRmi = sides.bareRmi();
    var copies = sides.copies();
    for (var load : LOADS) {
      var bytes = CalleeLoads.BYTES + ArgumentCopies.bytesOnTheWire(load);
      contest.add(load + "ibis", ibis, load);
      contest.add(load + "rmi", rmi, load);
      var isArray = load.startsWith(CalleeLoads.DOUBLES); // sent without encoding
      contest.add(load + "ibis" + TRANSPORT, link, isArray ? load : bytes);
      contest.add(load + "rmi" + TRANSPORT, bareRmi, bytes);
      contest.add(load + SERIALIZATION, copies, load);
    }
  }

  private static List<BenchmarkRow> rows(
      BenchmarkContest contest, String name, String load, String transport) {
    var whole = contest.of(load + transport);
    var serialization = contest.of(load + SERIALIZATION);
    var carried = contest.of(load + transport + TRANSPORT);
    return List.of(
        row(name, SERIALIZATION, transport, serialization, whole),
        row(name, TRANSPORT, transport, carried, whole),
        row(name, CALL, transport, whole.minus(serialization.median() + carried.median()), whole));
  }

  private static BenchmarkRow row(
      String name, String stage, String transport, FigureSpread part, FigureSpread whole) {
    return new BenchmarkRow(
        "stage-" + name + "-" + stage + "-" + transport,
        UNIT,
        part,
        whole,
        null,
        CorePinning.ONE_CORE.note());
  }
}
