package org.troupe.benchmarks.apps;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.troupe.benchmarks.apps.AppList.App;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.report.RowCharts;
import org.troupe.benchmarks.sides.OpenMpi;
import org.troupe.benchmarks.sides.StreamArray;
import org.troupe.benchmarks.sides.StreamClient;

/**
 * The programs that only send messages, against streams and Open MPI: message by message, so all
 * that takes part is pinned to one core. For one thread.
 */
final class MessageExchangeRows implements AutoCloseable {

  private static final String PING_PONG = "pingpong";
  private static final String ALL_TO_ALL = "alltoall";

  /** What the peers are told. */
  private static final String MPI_PING_PONG = "ping-pong:";

  private static final String MPI_ALL_TO_ALL = "all-to-all:";

  private static final List<String> ALGORITHMS = List.of("concurrent", "prefix");

  private static final String STREAMS = "streams";
  private static final String BYTES = "bytes";
  private static final String MPI = "mpi";

  private static final int TIMES = 10_000;

  private static final int ROUNDS = 5;

  /** Now and then a start is slower for all large sizes than others are. */
  private static final int STARTS = 3;

  private static final int LARGE = 1000; // from here on there is a goal
  private static final RowGoal AT_OR_ABOVE = RowGoal.ratio(AT_MOST, 1);
  private static final RowGoal NEAR = RowGoal.ratio(AT_MOST, 1.2);
  private static final String UNIT = "us";

  private final Map<String, App> apps;
  private final MeasurementEffort effort;
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> hindrances = new LinkedHashMap<>(); // by side
  private final Map<Integer, ContenderProcess> byMpi = new LinkedHashMap<>(); // by processes
  private ContenderProcess streams;
  private OpenMpi mpi; // null: there is none

  MessageExchangeRows(List<App> apps, MeasurementEffort effort) {
    this.apps = apps.stream().collect(Collectors.toMap(App::name, each -> each));
    this.effort = effort;
  }

  // Measuring

  /**
   * Starts the peers, and lets them warm up. One that cannot be had costs its rows, and no others.
   */
  void open() throws InterruptedException {
    if (apps.containsKey(PING_PONG)) {
      openStreams();
    }
    openMpi();
  }

  private void openStreams() {
    try {
      streams =
          ContenderProcess.start(
              StreamClient.class, CorePinning.NONE, List.of(), effort.roundMillis());
      streams.warmUp(StreamArray.DOUBLES + LARGE);
      streams.warmUp(StreamArray.BYTES + LARGE);
    } catch (IOException e) {
      failed(STREAMS, e);
      failed(BYTES, e);
    }
  }

  private void openMpi() throws InterruptedException {
    try {
      var hindrance = OpenMpi.hindrance();
      if (hindrance.isPresent()) {
        hindrances.put(MPI, hindrance.get());
        return;
      }
      mpi = OpenMpi.compiled();
      for (var processes = 2; processes <= effort.solverJvms(); processes *= 2) {
        byMpi.put(processes, mpi.start(processes, OpenMpi.TCP, CorePinning.NONE, effort));
      }
    } catch (IOException e) {
      failed(MPI, e);
    }
  }

  private void failed(String side, IOException failure) {
    System.err.println(failure.getMessage());
    hindrances.put(side, "its run failed: " + failure.getMessage());
  }

  /** Lets all sides have a turn. */
  void run() throws InterruptedException {
    if (apps.containsKey(PING_PONG)) {
      runPingPong();
    }
    if (apps.containsKey(ALL_TO_ALL)) {
      for (var jvms = 2; jvms <= effort.solverJvms(); jvms *= 2) {
        runAllToAll(jvms);
      }
    }
  }

  private void runPingPong() throws InterruptedException {
    for (var start = 0; start < STARTS; start++) {
      ours(PING_PONG, apps.get(PING_PONG), "--jvms", 2);
      for (var doubles : effort.messages()) {
        peer(PING_PONG, STREAMS, streams, StreamArray.DOUBLES, doubles);
        peer(PING_PONG, BYTES, streams, StreamArray.BYTES, doubles);
        peer(PING_PONG, MPI, byMpi.get(2), MPI_PING_PONG, doubles);
      }
    }
  }

  private void runAllToAll(int jvms) throws InterruptedException {
    var all = ALL_TO_ALL + "-" + jvms;
    for (var algorithm : ALGORITHMS) {
      ours(all + "-" + algorithm, apps.get(ALL_TO_ALL), "--jvms", jvms, "--algorithm", algorithm);
    }
    for (var doubles : effort.messages()) {
      peer(all, MPI, byMpi.get(jvms), MPI_ALL_TO_ALL, doubles);
    }
  }

  /** What fails costs its rows, and no others. */
  private void ours(String name, App app, Object... options) throws InterruptedException {
    if (hindrances.containsKey(name)) {
      return;
    }
    List<Object> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--times", TIMES, "--rounds", ROUNDS, "--doubles"));
    all.add(effort.messages().stream().map(String::valueOf).collect(Collectors.joining(",")));
    try {
      System.err.println("  " + name);
      AppRun.of(app, CorePinning.NONE, all.toArray())
          .micros()
          .forEach((doubles, micros) -> samples.add(name + " " + doubles, micros));
    } catch (IOException e) {
      failed(name, e);
    }
  }

  /** The same of a peer. */
  private void peer(String of, String peer, ContenderProcess contender, String load, int doubles) {
    if (isHindered(of, peer)) {
      return;
    }
    try {
      samples.add(side(of, peer, doubles), contender.turn(load + doubles));
    } catch (IOException e) {
      failed(of + "-" + peer, e);
    }
  }

  private boolean isHindered(String of, String peer) {
    return hindrances.containsKey(peer) || hindrances.containsKey(of + "-" + peer);
  }

  private static String side(String name, String peer, int doubles) {
    return name + "-" + peer + " " + doubles;
  }

  // Telling

  List<BenchmarkRow> rows() {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var peer : List.of(STREAMS, BYTES, MPI)) {
      for (var doubles : effort.messages()) {
        rows.add(row(PING_PONG, PING_PONG, peer, doubles, doubles < LARGE ? null : AT_OR_ABOVE));
      }
    }
    for (var jvms = 2; jvms <= effort.solverJvms(); jvms *= 2) {
      for (var algorithm : ALGORITHMS) {
        for (var doubles : effort.messages()) {
          var all = ALL_TO_ALL + "-" + jvms;
          rows.add(row(all + "-" + algorithm, all, MPI, doubles, NEAR));
        }
      }
    }
    return rows;
  }

  private BenchmarkRow row(String ours, String of, String peer, int doubles, RowGoal goal) {
    var name = "app-" + ours + "-" + doubles + "-by-" + peer;
    var hindrance =
        Stream.of(ours, peer, of + "-" + peer)
            .map(hindrances::get)
            .filter(Objects::nonNull)
            .findFirst();
    if (hindrance.isPresent()) {
      return BenchmarkRow.unmeasured(name, UNIT, goal, hindrance.get());
    }
    return new BenchmarkRow(
        name, UNIT, samples.of(ours + " " + doubles), samples.of(side(of, peer, doubles)), goal);
  }

  // Drawing

  /** Rates against the size of messages. */
  void draw(Path folder) throws IOException {
    Map<String, SortedMap<Integer, Double>> rates = new LinkedHashMap<>();
    rates.put("Troupe", rates(PING_PONG + " ", 2));
    rates.put("streams, converted", rates(PING_PONG + "-" + STREAMS + " ", 2));
    rates.put("streams, bytes", rates(PING_PONG + "-" + BYTES + " ", 2));
    rates.put("Open MPI, tcp", rates(PING_PONG + "-" + MPI + " ", 2));
    RowCharts.curves(folder.resolve("apps-pingpong.png"), "doubles", "MB/s, both ways", rates);
    for (var jvms = 2; jvms <= effort.solverJvms(); jvms *= 2) {
      var all = ALL_TO_ALL + "-" + jvms;
      Map<String, SortedMap<Integer, Double>> lines = new LinkedHashMap<>();
      for (var algorithm : ALGORITHMS) {
        lines.put(algorithm, rates(all + "-" + algorithm + " ", jvms - 1));
      }
      lines.put("Open MPI, tcp", rates(all + "-" + MPI + " ", jvms - 1));
      RowCharts.curves(
          folder.resolve("apps-" + all + ".png"), "doubles for each", "MB/s of each", lines);
    }
  }

  /**
   * @param messages how many count as sent in an exchange
   */
  private SortedMap<Integer, Double> rates(String prefix, int messages) {
    SortedMap<Integer, Double> rates = new TreeMap<>();
    for (var doubles : effort.messages()) {
      var micros = samples.of(prefix + doubles);
      if (micros != null) {
        rates.put(doubles, (double) messages * doubles * Double.BYTES / micros.median());
      }
    }
    return rates;
  }

  @Override
  public void close() {
    if (streams != null) {
      streams.close();
    }
    byMpi.values().forEach(ContenderProcess::close);
    if (mpi != null) {
      mpi.close();
    }
  }
}
