package org.troupe.activeobjects.internal.membership;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.hosting.NodeActivity;
import org.troupe.activeobjects.hosting.NodeActivity.ClassLine;
import org.troupe.activeobjects.hosting.NodeActivity.MethodLine;
import org.troupe.activeobjects.hosting.NodeActivity.PeerLine;
import org.troupe.activeobjects.hosting.NodeActivity.QueueLine;
import org.troupe.activeobjects.hosting.NodeActivity.Times;
import org.troupe.activeobjects.hosting.NodeActivity.WaitLine;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.RequestInService;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.observe.LatencyHistogram;
import org.troupe.activeobjects.internal.observe.MethodActivity;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.service.NodeServiceClient;

/** Reports what a node does, in a bounded time and size. Thread-safe. */
final class ActivityReporter {

  /*
   * Design: a report of a node with a million objects
   *
   * A report may be asked for each second, so it must not visit a million objects. It visits first the objects that matter
   * probably: those that serve many requests, which have counts of their own, and those that had a row in the last report. Then it
   * goes on with a sweep over the objects that other nodes know, for the time that it was given, from where the last report
   * ended. An object that has a long queue or waits for long is therefore found after some reports at the latest; the report says
   * how many objects it did not look at. A visit takes no lock of a body that serves in turn, and runs no user code.
   *
   * Only the objects that get a row need an identity, so a visit makes no idle object larger. The classes are counted by the sweep;
   * a report has the counts of the last sweep that has ended.
   *
   * The table has more entries than the node has objects: those of the middleware's own objects, of bodies that an object has left,
   * which stay until the JVM clears them, and of forwarders. The last sweep that has ended has counted them. The difference of
   * the table's size and the sweep's objects would be wrong, since objects are created and end during a sweep of several reports.
   *
   * A report knows of the requests and waits that the one before has shown, too, so it can tell a long service from many short ones.
   *
   * The line in which an object waits comes from the trace of the waiting thread, which is taken for the waits that get a row only.
   */
  private static final int PART = 1_024; // places of the table between two looks at the clock

  private static final int MOST_COUNTED = 10_000; // requests of a queue, by method
  private static final int MOST_VISITED_FIRST = 4_096;
  private static final long LONGEST_VISIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Comparator<Seen> BY_QUEUE =
      Comparator.comparingInt(Seen::queued).thenComparingLong(Seen::serviceNanos).reversed();

  private final NodeObjects node;
  private final Supplier<Stream<Peer>> peers; // of the grid that asks: others may have equal names
  private final PeerProbe probe;

  // guarded by this
  private int next; // where the sweep goes on
  private List<WeakReference<Body>> lastRows = List.of();
  private final Sightings sightings = new Sightings(); // of the rows
  private ClassTotals totals = new ClassTotals(); // of the sweep
  private @Nullable List<ClassLine> lastTotals; // of the sweep before; null in the first one
  private int others = 1; // entries of the table that are no objects, by that sweep

  /** An object that may get a row. */
  private record Seen(
      Body body,
      int queued,
      @Nullable RequestInService serving,
      @Nullable GroupStanding group,
      long now) {

    long serviceNanos() {
      return serving == null || serving.sinceNanos() == 0 ? -1 : now - serving.sinceNanos();
    }

    long waitNanos() {
      var wait = group == null ? null : group.openWait();
      if (wait != null) {
        return now - wait.sinceNanos();
      }
      var began = serving == null ? 0 : serving.waitBeganNanos();
      return began == 0 ? -1 : now - began;
    }
  }

  /** The sums and rows of a report while it is being made. */
  private static final class Visit {
    private final long now = System.nanoTime();
    private final Set<Body> bodies = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Class<?>, Map<String, Long>> pending = new HashMap<>(); // queued or served
    private final List<Seen> queues = new ArrayList<>();
    private final List<Seen> waits = new ArrayList<>();
    private int queued;
    private int waiting;

    void addPending(Body body, CallMethod method) {
      if (!method.isOfBody()) {
        pending
            .computeIfAbsent(body.type().type(), _ -> new HashMap<>())
            .merge(method.method().toString(), 1L, Long::sum);
      }
    }

    /** Returns how many requests of a method have not ended, and removes their number. */
    long takePending(Class<?> type, String method) {
      var ofType = pending.get(type);
      var count = ofType == null ? null : ofType.remove(method);
      return count == null ? 0 : count;
    }
  }

  /** What a node does, and totals over the objects that were looked at. */
  record Report(NodeActivity activity, int objects, int queued, int waiting) {}

  /**
   * Creates a reporter.
   *
   * @param peers returns the other nodes of the grid that gets the reports
   */
  ActivityReporter(
      NodeObjects node, Supplier<Stream<Peer>> peers, Function<Peer, NodeServiceClient> service) {
    this.node = node;
    this.peers = peers;
    this.probe = new PeerProbe(service);
  }

  /**
   * Makes a report.
   *
   * @param visitNanos for how long to look at objects, of 200 ms at most
   */
  synchronized Report report(long visitNanos) {
    var visit = new Visit();
    lastRows.forEach(each -> visit(each.get(), visit));
    node.observer().busyBodies().stream()
        .limit(MOST_VISITED_FIRST)
        .forEach(each -> visit((Body) each, visit));
    var isWhole = sweep(visit, Math.min(visitNanos, LONGEST_VISIT_NANOS));
    var objects = Math.max(0, node.exports().size() - others);
    var unvisited = isWhole ? 0 : Math.max(0, objects - visit.bodies.size());
    return new Report(activity(visit, unvisited), objects, visit.queued, visit.waiting);
  }

  /** Goes on with the sweep; returns whether it has looked at all objects. */
  private boolean sweep(Visit visit, long nanos) {
    var first = next;
    var hasWrapped = first == 0;
    do {
      next =
          node.exports()
              .visit(next, PART, each -> visitInSweep(each, visit), () -> totals.addOther());
      if (next == 0) {
        lastTotals = totals.lines(true);
        others = totals.others();
        totals = new ClassTotals();
      }
      if (next == 0 && hasWrapped || next >= first && first != 0 && hasWrapped) {
        next = 0;
        totals = new ClassTotals();
        return true;
      }
      hasWrapped |= next == 0;
    } while (System.nanoTime() - visit.now < nanos);
    return false;
  }

  private static boolean isOfProgram(@Nullable Body body) {
    return body != null && !body.type().isMiddleware() && !body.hasLeft() && !body.hasEnded();
  }

  private void visitInSweep(Body body, Visit visit) {
    if (isOfProgram(body)) {
      totals.add(body);
      visit(body, visit);
    } else {
      totals.addOther();
    }
  }

  private void visit(@Nullable Body body, Visit visit) {
    if (body == null || !isOfProgram(body) || !visit.bodies.add(body)) {
      return;
    }
    var queued = body.queued();
    var serving = body.inService();
    var awaited = body.waitingFor;
    var seen = new Seen(body, queued, serving, null, visit.now);
    visit.queued += queued;
    if (queued > 0) {
      body.forEachQueued(MOST_COUNTED, each -> visit.addPending(body, each.method));
    }
    if (serving != null) {
      visit.addPending(body, serving.request().method);
    }
    if (queued > 0 || serving != null) {
      visit.queues.add(seen);
    }
    var isWaiting =
        awaited != null && awaited.isAwaited() || serving != null && serving.crowdedLink() != null;
    if (isWaiting) {
      visit.waits.add(seen);
    }
    for (var group : body.standings()) {
      var wait = group.openWait();
      if (wait != null && wait.isOf(serving != null)) {
        isWaiting = true;
        visit.waits.add(new Seen(body, queued, serving, group, visit.now));
      }
    }
    visit.waiting += isWaiting ? 1 : 0;
  }

  private NodeActivity activity(Visit visit, long unvisited) {
    var methods = methods(visit);
    visit.queues.sort(BY_QUEUE);
    visit.waits.sort(Comparator.comparingLong(Seen::waitNanos).reversed());
    var peerLines = peers();
    var failures = node.observer().failures().all();
    var operations = node.observer().collectives().all();
    var known = lastTotals;
    var classes = known == null ? totals.lines(false) : known;
    var queues = visit.queues.stream().limit(NodeActivity.MOST_ROWS).toList();
    var waits = visit.waits.stream().limit(NodeActivity.MOST_ROWS).toList();
    lastRows =
        Stream.concat(queues.stream(), waits.stream())
            .map(each -> new WeakReference<>(each.body()))
            .toList();
    var activity =
        new NodeActivity(
            TierSwitch.tier(),
            System.nanoTime(),
            methods.stream().mapToLong(MethodLine::served).sum(),
            methods.stream().mapToLong(MethodLine::failed).sum(),
            methods.stream().limit(NodeActivity.MOST_ROWS).toList(),
            queues.stream().map(this::queueLine).toList(),
            waits.stream().map(this::waitLine).toList(),
            classes.stream().limit(NodeActivity.MOST_ROWS).toList(),
            peerLines.stream().limit(NodeActivity.MOST_ROWS).toList(),
            failures.stream().limit(NodeActivity.MOST_ROWS).toList(),
            operations.stream().limit(NodeActivity.MOST_ROWS).toList(),
            beyond(methods)
                + beyond(visit.queues)
                + beyond(visit.waits)
                + beyond(classes)
                + beyond(peerLines)
                + beyond(failures)
                + beyond(operations),
            unvisited,
            node.observer().events().last());
    sightings.endReport();
    return activity;
  }

  private static long beyond(List<?> rows) {
    return Math.max(0, rows.size() - NodeActivity.MOST_ROWS);
  }

  /** Returns all methods, the busiest first. */
  private List<MethodLine> methods(Visit visit) {
    if (TierSwitch.tier() == ObservationTier.OFF) {
      return List.of();
    }
    var known = new ArrayList<>(node.observer().methods(visit.now));
    known.sort(
        Comparator.comparingDouble(MethodActivity::recent)
            .thenComparingLong(MethodActivity::served)
            .reversed());
    List<MethodLine> lines = new ArrayList<>();
    for (var each : known) {
      lines.add(
          new MethodLine(
              each.type().getName(),
              each.method(),
              each.served() + visit.takePending(each.type(), each.method()),
              each.served(),
              each.failed(),
              times(each.waits()),
              times(each.services())));
    }
    visit.pending.forEach( // those of which no request has ended yet
        (type, methods) ->
            methods.forEach(
                (method, count) ->
                    lines.add(
                        new MethodLine(
                            type.getName(), method, count, 0, 0, Times.NONE, Times.NONE))));
    return lines;
  }

  private static Times times(LatencyHistogram.Summary summary) {
    return new Times(
        summary.samples(), summary.medianNanos(), summary.p99Nanos(), summary.mostNanos());
  }

  private QueueLine queueLine(Seen seen) {
    var serving = seen.serving();
    var request = serving == null ? null : serving.request();
    return new QueueLine(
        seen.body().identityText(),
        seen.body().type().type().getName(),
        seen.queued(),
        serving == null ? "" : serving.method(),
        serving == null ? "" : serving.caller(seen.body()),
        micros(seen.serviceNanos()),
        micros(sightings.nanos(request, 0, seen.now())));
  }

  private WaitLine waitLine(Seen seen) {
    return WaitLines.of(
        seen.body(),
        seen.serving(),
        seen.group(),
        micros(seen.waitNanos()),
        micros(leastWaitNanos(seen)));
  }

  private long leastWaitNanos(Seen seen) {
    if (seen.group() != null) {
      return Math.max(0, seen.waitNanos()); // its beginning is known exactly
    }
    var serving = seen.serving();
    var awaited = seen.body().waitingFor;
    return awaited == null && serving != null
        ? sightings.nanos(serving.request(), serving.waitingNanos(), seen.now()) // for a link
        : sightings.nanos(awaited, 0, seen.now());
  }

  private static long micros(long nanos) {
    return nanos < 0 ? -1 : TimeUnit.NANOSECONDS.toMicros(nanos);
  }

  /** Returns the traffic with the other nodes of the grid, the most bytes first. */
  List<PeerLine> peers() {
    var all = peers.get().filter(each -> each.isLinked() && !each.isLost()).toList();
    probe.measure(all);
    return all.stream()
        .map(this::line)
        .sorted(Comparator.comparingLong(PeerLine::bytes).reversed().thenComparing(PeerLine::node))
        .toList();
  }

  private PeerLine line(Peer peer) {
    var traffic = peer.outbox().traffic();
    var connection = peer.outbox().connection();
    return new PeerLine(
        peer.id().name(),
        connection == null ? "" : connection.driver(),
        traffic.messages(),
        traffic.bytes(),
        peer.outbox().resets(),
        probe.roundTripNanos(peer));
  }
}
