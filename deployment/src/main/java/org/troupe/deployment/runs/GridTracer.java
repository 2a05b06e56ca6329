package org.troupe.deployment.runs;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.TraceEntry;
import org.troupe.activeobjects.hosting.TracePart;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.trace.TraceRecord;
import org.troupe.deployment.watch.ClockOffset;
import org.troupe.deployment.watch.NaturalOrder;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchedGrid;

/** Records traces of the calls of a grid, for clients of the control socket. Thread-safe. */
final class GridTracer {

  /*
   * Design: rings are read while they are written
   *
   * Each node writes what it serves to a ring, which holds some 65,000 entries. While a trace is recorded, the tracer asks each
   * node for the new entries of its ring, in parts of MOST entries, and writes them to the client. It asks some nodes at a time, so
   * that the answers of a large grid do not fill its memory. A node that writes faster than the client reads overwrites entries;
   * they are counted as dropped. The nodes never wait for the tracer, nor the tracer for more than PATIENCE for a node. A ring is read
   * until it has a step that ended after the time of the trace: while another client traces as well, a busy node may write as fast as
   * a slow client reads.
   *
   * The tier of the grid is that of traces while there is at least one client. A client that has gone is noticed when the next line
   * is written, which is at the latest after SAMPLING.
   *
   * The clock of a node is compared with that of this program once, before its first entries: an offset that changed during a trace
   * would let spans overlap that do not. Clocks of intervals drift by some 10 us/s at most, so a trace of a minute is off by less
   * than a millisecond at its end.
   */
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Duration VISIT = Duration.ofMillis(2);
  private static final long PAUSE_MILLIS = 50;
  private static final long SAMPLING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int SAMPLES_PER_LOOK = 10; // for nodes that have joined, or were silent

  private final GridMember host;
  private final WatchedGrid grid;
  private final ObservedTier tier;
  private final CountDownLatch ending;

  /**
   * Creates it.
   *
   * @param ending opened when the grid begins to end
   */
  GridTracer(GridMember host, WatchedGrid grid, ObservedTier tier, CountDownLatch ending) {
    this.host = host;
    this.grid = grid;
    this.tier = tier;
    this.ending = ending;
  }

  /** What the tracer knows of a node during one trace. */
  private static final class Traced {
    final Node node;
    final long offsetNanos;
    long next;
    boolean isRead; // up to the end of the trace

    Traced(Node node, long offsetNanos, long next) {
      this.node = node;
      this.offsetNanos = offsetNanos;
      this.next = next;
    }
  }

  /** One trace, for one client. */
  private final class Trace {
    private final long beganNanos = System.nanoTime();
    private final long endsNanos;
    private final long most;
    private final Writer out;
    private final Map<String, Traced> traced = new LinkedHashMap<>();
    private final TreeSet<String> silent = new TreeSet<>();
    private final AskedNodes asked;
    private boolean isOver;
    private long entries;
    private long dropped;
    private int samples;
    private long sampledNanos = beganNanos - SAMPLING_NANOS;

    Trace(Duration within, long most, Writer out) {
      this.endsNanos = beganNanos + within.toNanos();
      this.most = most;
      this.out = out;
      this.asked = new AskedNodes(host, PATIENCE, (node, _) -> silent.add(node.name()));
    }

    private boolean isFull() {
      return entries >= most;
    }

    private void write(TraceRecord written) throws IOException {
      out.write(RecordCodec.TRACES.line(written));
      out.write('\n');
    }

    /**
     * Adds the nodes that the trace does not know, with the entries that are in their rings
     * already.
     */
    private void addNodes() throws IOException {
      List<Node> fresh = new ArrayList<>();
      var members = new ArrayList<>(host.nodes("").list());
      members.sort(Comparator.comparing(Node::name, NaturalOrder.OF_NAMES));
      members.add(host.self());
      members.stream().filter(each -> !traced.containsKey(each.name())).forEach(fresh::add);
      if (fresh.isEmpty()) {
        return;
      }
      Map<String, WatchRecord.Node> rows =
          grid.nodes().stream()
              .map(WatchedGrid.AskedNode::row)
              .collect(Collectors.toMap(WatchRecord.Node::node, Function.identity(), (a, _) -> a));
      for (var chunk : AskedNodes.chunks(fresh)) {
        var clocks = asked.clocks(chunk);
        var ends = asked.answers(chunk, each -> host.trace(each, Long.MAX_VALUE, 1));
        for (var each : chunk) {
          var clock = clocks.get(each);
          var end = ends.get(each);
          if (clock != null && end != null) {
            traced.put(each.name(), new Traced(each, clock.offsetNanos(), end.next()));
            write(row(each, rows.get(each.name()), clock));
          }
        }
      }
    }

    private TraceRecord.Node row(
        Node node, WatchRecord.@Nullable Node row, ClockOffset.Estimate clock) {
      return new TraceRecord.Node(
          node.name(),
          row == null ? "" : row.element(),
          node.host(),
          row == null ? 0 : row.pid(),
          clock.offsetNanos(),
          clock.errorNanos());
    }

    /** Writes what is new in the rings; returns whether a ring has more. */
    private boolean collect() throws IOException {
      var hasMore = false;
      var unread = traced.values().stream().filter(each -> !each.isRead);
      for (var chunk : AskedNodes.chunks(unread.map(each -> each.node).toList())) {
        var parts =
            asked.answers(chunk, each -> host.trace(each, known(each).next, TracePart.MOST));
        for (var each : parts.entrySet()) {
          var node = known(each.getKey());
          var part = each.getValue();
          node.next = part.next();
          dropped += part.dropped();
          for (var entry : part.entries()) {
            if (isFull()) {
              return false;
            }
            if (isLate(node, entry)) {
              node.isRead = true;
            } else {
              write(record(node, entry));
              entries++;
            }
          }
          hasMore |= !node.isRead && part.entries().size() == TracePart.MOST;
        }
      }
      return hasMore;
    }

    /** Returns whether the time of the trace is over, and a step has ended after it. */
    private boolean isLate(Traced node, TraceEntry entry) {
      var ended =
          switch (entry) {
            case TraceEntry.Service service -> service.endedNanos();
            case TraceEntry.Wait wait -> wait.endedNanos();
          };
      return isOver && ended - node.offsetNanos - endsNanos > 0;
    }

    private Traced known(Node node) {
      return Objects.requireNonNull(traced.get(node.name()), "a node of the trace");
    }

    private TraceRecord record(Traced node, TraceEntry entry) {
      var name = node.node.name();
      var shift = node.offsetNanos + beganNanos;
      return switch (entry) {
        case TraceEntry.Service service ->
            new TraceRecord.Call(
                name,
                service.object(),
                service.type(),
                service.method(),
                service.caller(),
                service.callerType(),
                service.callerNode(),
                service.callId(),
                service.acceptedNanos() - shift,
                service.beganNanos() - shift,
                service.endedNanos() - shift,
                service.hasFailed(),
                service.isOneWay());
        case TraceEntry.Wait wait ->
            new TraceRecord.Wait(
                name,
                wait.object(),
                wait.type(),
                wait.awaited(),
                wait.beganNanos() - shift,
                wait.endedNanos() - shift);
      };
    }

    private void sampleIfDue() throws IOException {
      if (System.nanoTime() - sampledNanos < SAMPLING_NANOS) {
        return;
      }
      sampledNanos = System.nanoTime();
      for (var chunk :
          AskedNodes.chunks(traced.values().stream().map(each -> each.node).toList())) {
        for (var each : asked.reports(chunk, VISIT).entrySet()) {
          var node = known(each.getKey());
          var report = each.getValue();
          write(
              new TraceRecord.Sample(
                  each.getKey().name(),
                  report.activity().clockNanos() - node.offsetNanos - beganNanos,
                  report.heapUsedBytes(),
                  report.queued(),
                  report.waiting(),
                  report.activity().served()));
        }
      }
      if (++samples % SAMPLES_PER_LOOK == 0) {
        addNodes();
      }
    }

    private void run() throws IOException {
      try {
        while (!grid.isEnding() && !isFull() && System.nanoTime() - endsNanos < 0) {
          var hasMore = collect();
          sampleIfDue();
          out.flush(); // fails if the client has gone
          if (!hasMore && ending.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // only this class could interrupt it, and does not
      }
    }

    private void end() throws IOException {
      isOver = true;
      var isLast = false;
      while (!isLast && !isFull() && !grid.isEnding()) {
        isLast = !collect();
      }
      sampledNanos = System.nanoTime() - SAMPLING_NANOS;
      sampleIfDue();
      write(new TraceRecord.End(entries, dropped, isFull(), List.copyOf(silent)));
      out.flush();
    }
  }

  /**
   * Records a trace, and writes its records to a client until it ends, or the client goes.
   *
   * @param program the command of this program
   * @param within for how long
   * @param most how many calls and waits to record
   */
  void record(String id, String run, String program, Duration within, long most, Writer out)
      throws IOException {
    var trace = new Trace(within, most, out);
    out.write(ControlServer.OK + "\n");
    trace.write(
        new TraceRecord.Begin(
            TraceRecord.VERSION,
            id,
            run,
            program,
            System.currentTimeMillis(),
            within.toNanos() / 1e9));
    trace.addNodes();
    out.flush();
    try {
      tier.beginTrace(); // even if it fails, the trace has begun
      trace.run();
    } finally {
      tier.endTrace();
    }
    trace.end();
  }
}
