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
import org.jspecify.annotations.Nullable;
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
 * The rows of the programs that only send messages, against streams and Open MPI, by size of
 * message. Not thread-safe.
 */
final class MessageExchangeRows implements AutoCloseable {

  private static final String PING_PONG = "pingpong";
  private static final String ALL_TO_ALL = "alltoall";

  /** Loads of the peers. */
  private static final String MPI_PING_PONG = "ping-pong:";

  private static final String MPI_ALL_TO_ALL = "all-to-all:";

  private static final List<String> ALGORITHMS = List.of("concurrent", "prefix");

  private static final String STREAMS = "streams";
  private static final String BYTES = "bytes";
  private static final String MPI = "mpi";

  private static final int TIMES = 10_000;

  private static final int ROUNDS = 5;

  /** Starts of the program. Some starts are slower than others for all large sizes. */
  private static final int STARTS = 3;

  private static final int LARGE = 1000; // sizes from this on have a goal
  private static final RowGoal AT_OR_ABOVE = RowGoal.ratio(AT_MOST, 1);
  private static final RowGoal NEAR = RowGoal.ratio(AT_MOST, 1.2);
  private static final String UNIT = "us";

  private final Map<String, App> apps;
  private final MeasurementEffort effort;
  private final RoundSamples samples = new RoundSamples();
  private final Map<String, String> failures = new LinkedHashMap<>(); // by side of a comparison
  private final Map<Integer, ContenderProcess> byMpi = new LinkedHashMap<>(); // by processes
  private @Nullable ContenderProcess streams;
  private @Nullable OpenMpi mpi; // null if it cannot be started

  MessageExchangeRows(List<App> apps, MeasurementEffort effort) {
    this.apps = apps.stream().collect(Collectors.toMap(App::name, each -> each));
    this.effort = effort;
  }

  // Measuring

  /** Starts the peers and warms them up. A peer that cannot be started costs only its rows. */
  void open() throws InterruptedException {
    if (apps.containsKey(PING_PONG)) {
      openStreams();
    }
    openMpi();
  }

  private void openStreams() {
    try {
      var started =
          ContenderProcess.start(
              StreamClient.class, CorePinning.NONE, List.of(), effort.roundMillis());
      streams = started;
      started.warmUp(StreamArray.DOUBLES + LARGE);
      started.warmUp(StreamArray.BYTES + LARGE);
    } catch (IOException e) {
      failed(STREAMS, e);
      failed(BYTES, e);
    }
  }

  private void openMpi() throws InterruptedException {
    try {
      var unavailability = OpenMpi.whyUnavailable();
      if (unavailability.isPresent()) {
        failures.put(MPI, unavailability.get());
        return;
      }
      var compiled = OpenMpi.compiled();
      mpi = compiled;
      for (var processes = 2; processes <= effort.solverJvms(); processes *= 2) {
        byMpi.put(processes, compiled.start(processes, OpenMpi.TCP, CorePinning.NONE, effort));
      }
    } catch (IOException e) {
      failed(MPI, e);
    }
  }

  private void failed(String side, IOException failure) {
    System.err.println(failure.getMessage());
    failures.put(side, "its run failed: " + failure.getMessage());
  }

  /** Runs all sides once. */
  void run() throws InterruptedException {
    var pingPong = apps.get(PING_PONG);
    if (pingPong != null) {
      runPingPong(pingPong);
    }
    var allToAll = apps.get(ALL_TO_ALL);
    if (allToAll != null) {
      for (var jvms = 2; jvms <= effort.solverJvms(); jvms *= 2) {
        runAllToAll(allToAll, jvms);
      }
    }
  }

  private void runPingPong(App app) throws InterruptedException {
    for (var start = 0; start < STARTS; start++) {
      ours(PING_PONG, app, "--jvms", 2);
      for (var doubles : effort.messages()) {
        peer(PING_PONG, STREAMS, streams, StreamArray.DOUBLES, doubles);
        peer(PING_PONG, BYTES, streams, StreamArray.BYTES, doubles);
        peer(PING_PONG, MPI, byMpi.get(2), MPI_PING_PONG, doubles);
      }
    }
  }

  private void runAllToAll(App app, int jvms) throws InterruptedException {
    var all = ALL_TO_ALL + "-" + jvms;
    for (var algorithm : ALGORITHMS) {
      ours(all + "-" + algorithm, app, "--jvms", jvms, "--algorithm", algorithm);
    }
    for (var doubles : effort.messages()) {
      peer(all, MPI, byMpi.get(jvms), MPI_ALL_TO_ALL, doubles);
    }
  }

  /** Runs a program of ours; a failure costs only its rows. */
  private void ours(String name, App app, Object... options) throws InterruptedException {
    if (failures.containsKey(name)) {
      return;
    }
    List<Object> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--times", TIMES, "--rounds", ROUNDS, "--doubles"));
    all.add(effort.messages().stream().map(String::valueOf).collect(Collectors.joining(",")));
    try {
      System.err.println("  " + name);
      AppRun.of(app, all.toArray())
          .micros()
          .forEach((doubles, micros) -> samples.add(name + " " + doubles, micros));
    } catch (IOException e) {
      failed(name, e);
    }
  }

  /** Measures one turn of a peer; a failure costs only its rows. */
  private void peer(
      String of, String peer, @Nullable ContenderProcess contender, String load, int doubles) {
    if (contender == null || hasFailed(of, peer)) {
      return;
    }
    try {
      samples.add(side(of, peer, doubles), contender.turn(load + doubles));
    } catch (IOException e) {
      failed(of + "-" + peer, e);
    }
  }

  private boolean hasFailed(String of, String peer) {
    return failures.containsKey(peer) || failures.containsKey(of + "-" + peer);
  }

  private static String side(String name, String peer, int doubles) {
    return name + "-" + peer + " " + doubles;
  }

  // Rows

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

  private BenchmarkRow row(
      String ours, String of, String peer, int doubles, @Nullable RowGoal goal) {
    var name = "app-" + ours + "-" + doubles + "-by-" + peer;
    var unavailability =
        Stream.of(ours, peer, of + "-" + peer)
            .map(failures::get)
            .filter(Objects::nonNull)
            .findFirst();
    if (unavailability.isPresent()) {
      return BenchmarkRow.unmeasured(name, UNIT, goal, unavailability.get());
    }
    return new BenchmarkRow(
        name, UNIT, samples.of(ours + " " + doubles), samples.of(side(of, peer, doubles)), goal);
  }

  // Drawing

  /** Draws rates over the size of messages. */
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
   * Returns the rates of a side in MB/s, by number of doubles.
   *
   * @param messages the number of messages that count as sent in an exchange
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
