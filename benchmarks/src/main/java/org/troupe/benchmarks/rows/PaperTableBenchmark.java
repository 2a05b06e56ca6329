package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkContest;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.sides.BinaryTree;
import org.troupe.benchmarks.sides.CalleeLoads;
import org.troupe.benchmarks.sides.ContenderSides;

/**
 * A table of the papers on Manta, Ibis and the Java Grande benchmarks: each row for the transports
 * {@code ibis} and {@code rmi}, against bare {@code java.rmi}.
 *
 * @param entries the rows, each of which is measured for both transports
 */
public record PaperTableBenchmark(String name, String about, List<Entry> entries)
    implements Benchmark {

  private static final List<String> TRANSPORTS = List.of("ibis", "rmi");
  private static final String BARE = "bare";
  private static final int INNER_NODES = 1023;

  /**
   * A row of the table.
   *
   * @param row the name without that of the transport
   * @param load the measured load
   * @param bytes the bytes that count for a rate; 0 for a latency
   */
  record Entry(String row, String load, int bytes) {

    static Entry latency(String row, String load) {
      return new Entry(row, load, 0);
    }

    String unit() {
      return bytes == 0 ? "us" : "MB/s";
    }

    double figure(double micros) {
      return bytes == 0 ? micros : bytes / micros;
    }
  }

  /** Returns the table of latencies of calls with small arguments: none, arrays, trees. */
  public static PaperTableBenchmark latency() {
    List<Entry> entries = new ArrayList<>();
    entries.add(Entry.latency("latency-null", CalleeLoads.CALL));
    for (var size : List.of(100, 1000, 10_000)) {
      entries.add(Entry.latency("latency-int-" + size, CalleeLoads.INTS + size));
    }
    for (var nodes : List.of(1, 3, 7, 15)) {
      entries.add(Entry.latency("latency-tree-" + nodes, CalleeLoads.TREE + nodes));
    }
    return new PaperTableBenchmark(
        "latency", "calls with small arguments, against bare java.rmi", entries);
  }

  /**
   * Returns the table of throughputs of arguments of 100 kB, and of a tree, of which only the
   * integers count.
   */
  public static PaperTableBenchmark throughput() {
    var bytes = 100_000;
    return new PaperTableBenchmark(
        "throughput",
        "calls with arrays of 100 kB and trees, against bare java.rmi",
        List.of(
            new Entry("throughput-byte", CalleeLoads.BYTES + bytes, bytes),
            new Entry("throughput-int", CalleeLoads.INTS + bytes / Integer.BYTES, bytes),
            new Entry("throughput-float", CalleeLoads.FLOATS + bytes / Float.BYTES, bytes),
            new Entry("throughput-double", CalleeLoads.DOUBLES + bytes / Double.BYTES, bytes),
            new Entry(
                "throughput-tree",
                CalleeLoads.TREE + INNER_NODES,
                INNER_NODES * BinaryTree.PAYLOAD)));
  }

  /**
   * Returns the table of the Java Grande Forum's ping-pong: an array there and back, counted in
   * both directions.
   */
  public static PaperTableBenchmark pingPong() {
    List<Entry> entries = new ArrayList<>();
    for (var bytes = Double.BYTES; bytes <= 1 << 19; bytes *= 16) {
      entries.add(
          new Entry("pingpong-" + bytes, CalleeLoads.PONG + bytes / Double.BYTES, 2 * bytes));
    }
    return new PaperTableBenchmark(
        "pingpong", "double[] there and back by size in bytes, against bare java.rmi", entries);
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var contest = new BenchmarkContest(CorePinning.ONE_CORE)) {
      var sides = new ContenderSides(CorePinning.ONE_CORE, effort.forLargeTable());
      for (var transport : TRANSPORTS) {
        enter(contest, transport, sides.troupe(transport));
      }
      enter(contest, BARE, sides.bareRmi());
      contest.run(effort.rounds());
      List<BenchmarkRow> rows = new ArrayList<>();
      for (var entry : entries) {
        for (var transport : TRANSPORTS) {
          rows.add(
              contest.row(
                  entry.row() + "-" + transport,
                  entry.unit(),
                  side(entry, transport),
                  side(entry, BARE),
                  null));
        }
      }
      return rows;
    }
  }

  private void enter(BenchmarkContest contest, String by, ContenderProcess contender) {
    for (var entry : entries) {
      contest.add(side(entry, by), contender, entry.load(), entry::figure);
    }
  }

  private static String side(Entry entry, String by) {
    return entry.row() + " by " + by;
  }
}
