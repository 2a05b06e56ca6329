package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.RecordingStart;
import org.troupe.deployment.trace.FlightRecord;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.watch.ClockOffset;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchedGrid;

/** Records all nodes of a grid by the JDK Flight Recorder, for clients of the control socket. */
final class GridFlightRecorder {

  /*
   * Design: the client holds nothing open
   *
   * All nodes begin at once and end by themselves after the wanted time. Then their files are read one after the other, in parts, and
   * written to the client as they come; this program keeps none of them. A client that has gone is noticed at the next line, at the
   * latest after PROGRESS_MILLIS. The recordings of all nodes are discarded at the end in every case. If this program is lost, the
   * nodes discard them, by their leases or because they end.
   */
  private static final Duration PATIENCE =
      Duration.ofSeconds(20); // a first recording takes seconds

  private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);
  private static final long PROGRESS_MILLIS = 500;

  private final GridMember host;
  private final WatchedGrid grid;
  private final CountDownLatch ending;

  /**
   * Creates it.
   *
   * @param ending opened when the grid begins to end
   */
  GridFlightRecorder(GridMember host, WatchedGrid grid, CountDownLatch ending) {
    this.host = host;
    this.grid = grid;
    this.ending = ending;
  }

  private static void write(FlightRecord written, Writer out) throws IOException {
    out.write(RecordCodec.FLIGHTS.line(written));
    out.write('\n');
    out.flush();
  }

  /**
   * Records, and writes the files to a client until it ends, or the client goes.
   *
   * @param program the command of this program
   * @param within for how long
   * @param settings the name of the recorder's settings
   * @param mostBytes how much to keep of each node
   */
  void record(
      String id,
      String run,
      String program,
      Duration within,
      String settings,
      long mostBytes,
      Writer out)
      throws IOException {
    List<Node> nodes = new ArrayList<>(host.nodes("").list());
    nodes.sort(Comparator.comparing(Node::name, NaturalOrder.OF_NAMES));
    nodes.addFirst(host.self());
    out.write(ControlServer.OK + "\n");
    write(
        new FlightRecord.Begin(
            FlightRecord.VERSION,
            id,
            run,
            program,
            System.currentTimeMillis(),
            within.toNanos() / 1e9,
            nodes.size()),
        out);
    Map<Node, RecordingStart> started = new LinkedHashMap<>();
    Map<Node, String> missing = new LinkedHashMap<>();
    var asked = new AskedNodes(host, PATIENCE, (node, e) -> missing.put(node, why(e)));
    Map<Node, ClockOffset.Estimate> clocks = new LinkedHashMap<>();
    try {
      for (var chunk : AskedNodes.chunks(nodes)) {
        clocks.putAll(asked.clocks(chunk));
        started.putAll(
            asked.answers(
                chunk, each -> host.startRecording(each, settings, within.toSeconds(), mostBytes)));
      }
      for (var each : missing.entrySet()) {
        write(new FlightRecord.Missing(each.getKey().name(), each.getValue()), out);
      }
      if (!started.isEmpty()) {
        await(within, out);
      }
      write(new FlightRecord.End(copy(started, clocks, out)), out);
    } finally {
      discard(started);
    }
  }

  private static String why(Exception e) {
    if (e instanceof ExecutionException failure) {
      var cause = failure.getCause();
      var text = cause == null ? null : cause.getMessage();
      return text == null ? String.valueOf(cause) : text;
    }
    return "it did not answer within " + PATIENCE.toSeconds() + " s";
  }

  private void await(Duration within, Writer out) throws IOException {
    var ends = System.nanoTime() + within.toNanos();
    try {
      for (var left = within.toNanos(); left > 0 && !grid.isEnding(); ) {
        write(new FlightRecord.Progress(left / 1e9), out);
        var millis = Math.min(PROGRESS_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1);
        if (ending.await(millis, TimeUnit.MILLISECONDS)) {
          return;
        }
        left = ends - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // only this class could interrupt it, and does not
    }
  }

  /** Writes the files of nodes; returns how many are whole. */
  private int copy(
      Map<Node, RecordingStart> started, Map<Node, ClockOffset.Estimate> clocks, Writer out)
      throws IOException {
    Map<String, WatchRecord.Node> rows =
        grid.nodes().stream()
            .map(WatchedGrid.AskedNode::row)
            .collect(Collectors.toMap(WatchRecord.Node::node, Function.identity(), (a, _) -> a));
    var here = Instant.now();
    var hereNanos = System.nanoTime();
    var files = 0;
    for (var each : started.entrySet()) {
      var node = each.getKey();
      write(
          row(node, rows.get(node.name()), each.getValue(), clocks.get(node), here, hereNanos),
          out);
      try {
        var data = next(node, each.getValue());
        while (data.length > 0) {
          write(new FlightRecord.Part(node.name(), data), out);
          data = next(node, each.getValue());
        }
        files++;
      } catch (ExecutionException | TimeoutException e) {
        write(new FlightRecord.Missing(node.name(), why(e)), out);
      }
    }
    return files;
  }

  private byte[] next(Node node, RecordingStart start) throws ExecutionException, TimeoutException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    return GridController.awaited(host.nextOfRecording(node, start.id()), deadline);
  }

  private static FlightRecord.Node row(
      Node node,
      WatchRecord.@Nullable Node row,
      RecordingStart start,
      ClockOffset.@Nullable Estimate clock,
      Instant here,
      long hereNanos) {
    // What this program's clock of the day showed when the node read its own one.
    var ago = hereNanos - (start.nanos() - (clock == null ? 0 : clock.offsetNanos()));
    var hereEpoch = TimeUnit.SECONDS.toNanos(here.getEpochSecond()) + here.getNano() - ago;
    return new FlightRecord.Node(
        node.name(),
        row == null ? "" : row.element(),
        node.host(),
        row == null ? 0 : row.pid(),
        clock == null ? 0 : start.epochNanos() - hereEpoch,
        clock == null ? Long.MAX_VALUE : clock.errorNanos());
  }

  private void discard(Map<Node, RecordingStart> started) {
    var last = new AskedNodes(host, LAST_PATIENCE, (_, _) -> {}); // their leases end
    for (var chunk : AskedNodes.chunks(List.copyOf(started.keySet()))) {
      last.answers(
          chunk,
          each -> {
            var start = started.get(each);
            return host.discardRecording(each, start == null ? 0 : start.id());
          });
    }
  }
}
