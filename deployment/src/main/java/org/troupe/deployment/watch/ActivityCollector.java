package org.troupe.deployment.watch;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.hosting.NodeReport;

/**
 * Collects the reports of the nodes of a grid while clients watch it, and gives each client what
 * has changed since it last looked. Thread-safe.
 */
public final class ActivityCollector {

  /*
   * Design: rounds and cursors
   *
   * While there is a client, one thread asks all nodes for their reports once per interval: the shortest one of the clients, but
   * at least a second, and nodes / 256 s for more than 256 nodes; RoundPace makes it longer while nothing happens. Without a client
   * no node is asked and no thread runs.
   *
   * The collector keeps the last state of each row, and the number of the round in which it last changed. A client names the last
   * round that it has seen, and gets the rows that have changed since, however long ago that was: a client that stops reading
   * costs nothing, delays no other, and gets the sum of the changes when it goes on. A cursor of another collector, or none, gets
   * all rows. The cursor of a client that wants vitals also has the number of the last point that it has got.
   *
   * Bounds: a node has at most MOST_METHODS, MOST_CLASSES, MOST_PAIRS, MOST_FAILURES, MOST_CYCLES and MOST_OPERATIONS rows; when there are more, the one that changed first is
   * dropped, and counted. A node that has ended keeps its rows for the clients that come later, as long as there are less than
   * MOST_ROWS.
   *
   * Threads: the collecting thread makes a round without the monitor, and installs it under the monitor. Clients wait and read
   * under the monitor, and write to their sockets without it.
   */
  private static final int MOST_METHODS = 60;
  private static final int MOST_CLASSES = 60;
  private static final int MOST_PAIRS = 40;
  private static final int MOST_FAILURES = 40;
  private static final int MOST_CYCLES = 20;
  private static final int MOST_OPERATIONS = 60;
  private static final int MOST_ROWS = 200_000;

  private static final int NODES_PER_SECOND = 256;
  private static final double NANOS = 1e9;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** Nodes first, as other rows are about them; the events of all nodes by their times. */
  private static final Comparator<WatchRecord> IN_ORDER =
      Comparator.comparing((WatchRecord each) -> each instanceof WatchRecord.Node ? 0 : 1)
          .thenComparing(
              each -> each instanceof WatchRecord.Node its ? its.node() : "", NaturalOrder.OF_NAMES)
          .thenComparing(each -> each instanceof WatchRecord.Event ? 1 : 0)
          .thenComparingLong(each -> each instanceof WatchRecord.Event its ? its.timeMillis() : 0);

  private final WatchedGrid grid;
  private final FlightRing past;
  private final long shortestNanos;
  private final String epoch = Long.toHexString(ThreadLocalRandom.current().nextLong());
  private final Map<String, ClockOffset> clocks = new HashMap<>(); // of the collecting thread
  private final Map<String, Long> lastEvents = new HashMap<>(); // of the collecting thread
  private final CollectiveRows collectives = new CollectiveRows(); // of the collecting thread

  // guarded by this
  private final Map<String, Row> rows = new LinkedHashMap<>(); // the one that changed first, first
  private final Map<String, Set<String>> bounded = new HashMap<>(); // keys by kind and node
  private final List<Client> clients = new ArrayList<>();
  private final RoundPace pace = new RoundPace(LONGEST.toNanos());
  private long seenChanges; // of the vital signs, before the last round
  private long round;
  private WatchRecord.@Nullable Round last;
  private long dropped;
  private long nextEvent = 1;
  private @Nullable Thread collecting; // null while there is no client

  /** A row, and the round in which it last changed. */
  private record Row(WatchRecord content, long round) {}

  /** Creates the collector of a grid, which asks no node yet. */
  public ActivityCollector(WatchedGrid grid, FlightRing past) {
    this(grid, past, SHORTEST);
  }

  /** Creates a collector with another shortest interval, for a test. */
  ActivityCollector(WatchedGrid grid, FlightRing past, Duration shortest) {
    this.grid = grid;
    this.past = past;
    this.shortestNanos = shortest.toNanos();
  }

  /** A client. Its methods are called by one thread. */
  public final class Client implements AutoCloseable {

    private final long intervalNanos;
    private final Set<WatchScope> scopes;
    private final boolean isWhole;
    private final long first; // an older round is out of date
    private long seen; // the last round
    private long seenPoint; // the last one of the past
    private boolean hasBegun;
    private long deliveredNanos;
    private boolean isClosed; // guarded by the collector

    private Client(long intervalNanos, Set<WatchScope> scopes, String cursor, long first) {
      this.first = first;
      this.intervalNanos = intervalNanos;
      this.scopes = scopes;
      this.seen = round(cursor);
      this.seenPoint = seen == 0 ? 0 : number(cursor, 2);
      this.isWhole = seen == 0;
    }

    /** Returns whether the first round has all rows. */
    public boolean isWhole() {
      return isWhole;
    }

    /** Returns the time between two rounds. */
    public double intervalSeconds() {
      return intervalNanos / NANOS;
    }

    /**
     * Waits for the next round, and returns the rows that have changed, with the end of the round
     * as the last; empty if the grid is ending.
     */
    public List<WatchRecord> next() throws InterruptedException {
      synchronized (ActivityCollector.this) {
        while (!grid.isEnding() && !isClosed) {
          var left = hasBegun ? deliveredNanos + intervalNanos - System.nanoTime() : 0;
          if (round > seen && round >= first && left <= 0) {
            hasBegun = true;
            deliveredNanos = System.nanoTime();
            return changed();
          }
          // A later round and the end of the grid are announced.
          ActivityCollector.this.wait(left > 0 ? TimeUnit.NANOSECONDS.toMillis(left) + 1 : 0);
        }
        return List.of();
      }
    }

    private List<WatchRecord> changed() {
      List<WatchRecord> changed = new ArrayList<>();
      rows.values().stream()
          .filter(each -> each.round() > seen)
          .map(Row::content)
          .filter(each -> scopes.stream().anyMatch(scope -> scope.has(each)))
          .forEach(changed::add);
      changed.sort(IN_ORDER);
      seen = round;
      var end = last;
      if (scopes.contains(WatchScope.VITALS)) {
        var part = past.behind(seenPoint);
        changed.addAll(part.rows());
        seenPoint = part.upTo();
        end = end == null ? null : end.behind("-" + seenPoint);
      }
      if (end != null) {
        changed.add(end);
      }
      return changed;
    }

    @Override
    public void close() {
      synchronized (ActivityCollector.this) {
        isClosed = true;
        clients.remove(this);
        ActivityCollector.this.notifyAll();
      }
    }
  }

  /** Returns the round of a cursor; 0 if it is none of this collector. */
  private synchronized long round(String cursor) {
    if (!cursor.startsWith(epoch + "-")) {
      return 0;
    }
    var named = number(cursor, 1);
    return named <= round ? named : 0;
  }

  /** Returns a number of a cursor; 0 if it has none there. */
  private static long number(String cursor, int place) {
    var parts = cursor.split("-", -1);
    try {
      return place < parts.length ? Math.max(0, Long.parseLong(parts[place])) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Adds a client, for which nodes are asked until it is closed.
   *
   * @param interval the wanted time between two rounds
   * @param scopes the rows that it wants
   * @param cursor the end of the last round that it has seen; empty for all rows
   */
  public synchronized Client watch(Duration interval, Set<WatchScope> scopes, String cursor) {
    var least = Math.max(shortestNanos, grid.nodes().size() * (long) NANOS / NODES_PER_SECOND);
    var wanted = Math.min(interval.toNanos(), LONGEST.toNanos());
    var client =
        new Client(Math.max(least, wanted), scopes, cursor, collecting == null ? round + 1 : round);
    clients.add(client);
    pace.ended(true); // its first rows are to be recent
    if (collecting == null) {
      collecting = Thread.ofPlatform().daemon().name("troupe-watch").start(this::collect);
    } else {
      notifyAll(); // its interval may be shorter
    }
    return client;
  }

  /** Wakes the clients, since the grid is being closed. */
  public synchronized void gridEnds() {
    notifyAll();
  }

  private void collect() {
    try {
      while (true) {
        var began = System.nanoTime();
        try {
          round();
        } catch (RuntimeException e) { // the clients wait for the next round
          LOG.log(Level.WARNING, "what the grid does could not be collected", e);
        }
        synchronized (this) {
          notifyAll();
          for (long left; isWatched() && (left = nanosToNextRound(began)) > 0; ) {
            var look = Math.min(left, shortestOfClients()); // whether something has happened
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(look)));
          }
          if (!isWatched()) {
            collecting = null;
            notifyAll();
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError("only this class could interrupt its thread", e);
    }
  }

  private boolean isWatched() {
    return !clients.isEmpty() && !grid.isEnding();
  }

  /** Returns whether nodes are being asked. */
  synchronized boolean isCollecting() {
    return collecting != null;
  }

  private long shortestOfClients() {
    return clients.stream().mapToLong(each -> each.intervalNanos).min().orElse(0);
  }

  private long nanosToNextRound(long beganNanos) {
    var shortest = shortestOfClients();
    var hasNews =
        past.changes() != seenChanges
            || !grid.events(nextEvent).isEmpty()
            || clients.stream().anyMatch(each -> each.scopes.contains(WatchScope.PANELS));
    var interval = hasNews ? shortest : pace.intervalNanos(shortest);
    return interval - (System.nanoTime() - beganNanos);
  }

  /** Asks all nodes once, and installs what they have answered. */
  private void round() throws InterruptedException {
    var began = System.nanoTime();
    var changes = past.changes();
    var nodes = grid.nodes();
    Map<String, AwaitedReport> answers = new HashMap<>();
    Map<String, Long> asked = new HashMap<>();
    for (var each : nodes) {
      var asks = each.asks();
      if (asks != null) {
        asked.put(each.row().node(), System.nanoTime());
        answers.put(each.row().node(), asks.ask());
      }
    }
    var deadline = began + PATIENCE.toNanos();
    List<WatchRecord> fresh = new ArrayList<>();
    Map<String, CompletableFuture<List<NodeEvent>>> news = new LinkedHashMap<>();
    var silent = 0;
    for (var each : nodes) {
      var name = each.row().node();
      var answer = answers.get(name);
      var report = report(answer, deadline);
      if (answer != null && report != null) {
        var clock = clocks.computeIfAbsent(name, _ -> new ClockOffset());
        clock.add(
            asked.getOrDefault(name, began), report.activity().clockNanos(), answer.arrivedNanos());
        addRows(each.row(), report, clock.best(), fresh);
        var known = lastEvents.getOrDefault(name, 0L);
        if (each.asks() != null && report.activity().lastEvent() > known) {
          news.put(name, each.asks().events(known));
        }
      } else {
        silent += answers.containsKey(name) ? 1 : 0;
        fresh.add(silent(each.row(), answers.containsKey(name)));
      }
    }
    news.forEach((name, answer) -> addEvents(name, answer, deadline, fresh));
    fresh.addAll(collectives.of(fresh));
    fresh.addAll(grid.jobs());
    fresh.addAll(grid.panels());
    install(fresh, nodes.size(), silent, began, changes);
  }

  /** Adds the events that a node has reported; if it does not answer now, it is asked again. */
  private void addEvents(
      String node,
      CompletableFuture<List<NodeEvent>> asked,
      long deadline,
      List<WatchRecord> fresh) {
    List<NodeEvent> events;
    try {
      events = asked.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // it is lost, or too busy to answer
    } catch (InterruptedException e) {
      throw new AssertionError("only this class could interrupt its thread", e);
    }
    for (var each : events) {
      lastEvents.put(node, each.number());
      if (each.kind() == NodeEvent.Kind.CYCLE) {
        fresh.add(new WatchRecord.Cycle(node, each.number(), each.millis(), each.text()));
      } else {
        grid.happened(node, each);
      }
    }
  }

  private static @Nullable NodeReport report(@Nullable AwaitedReport answer, long deadline)
      throws InterruptedException {
    try {
      return answer == null ? null : answer.get(Math.max(0, deadline - System.nanoTime()));
    } catch (ExecutionException | TimeoutException e) {
      return null; // it is lost, or too busy to answer
    }
  }

  /**
   * Returns the row of a node without an answer: the facts that the program has, and the node's
   * last answer.
   */
  private synchronized WatchRecord.Node silent(WatchRecord.Node known, boolean wasAsked) {
    var before = rows.get(known.key());
    var load =
        before != null && before.content() instanceof WatchRecord.Node its ? its.load() : null;
    return new WatchRecord.Node(
        known.node(),
        known.element(),
        known.host(),
        known.cluster(),
        known.virtualNodes(),
        known.state(),
        known.detail(),
        known.pid(),
        wasAsked,
        load);
  }

  private static void addRows(
      WatchRecord.Node known,
      NodeReport report,
      ClockOffset.@Nullable Estimate clock,
      List<WatchRecord> fresh) {
    var node = known.node();
    fresh.add(
        new WatchRecord.Node(
            node,
            known.element(),
            known.host(),
            known.cluster(),
            known.virtualNodes(),
            known.state(),
            known.detail().isEmpty() ? report.trouble() : known.detail(),
            known.pid(),
            false,
            load(report, clock)));
    fresh.addAll(ActivityRows.of(node, report.activity()));
  }

  private static WatchRecord.Load load(NodeReport report, ClockOffset.@Nullable Estimate clock) {
    var activity = report.activity();
    return new WatchRecord.Load(
        activity.tier().toString(),
        report.heapUsedBytes(),
        report.heapMostBytes(),
        report.heapKeptBytes(),
        report.residentBytes(),
        report.threads(),
        report.cpuNanos() / NANOS,
        report.collectionNanos() / NANOS,
        report.upNanos() / NANOS,
        report.objects(),
        report.queued(),
        report.waiting(),
        report.pending(),
        activity.served(),
        activity.failed(),
        activity.unvisited(),
        activity.leftOut(),
        clock == null ? 0 : clock.offsetNanos() / NANOS,
        clock == null ? 0 : clock.errorNanos() / NANOS);
  }

  private synchronized void install(
      List<WatchRecord> fresh, int nodes, int silent, long beganNanos, long changes) {
    round++;
    seenChanges = changes;
    var hasNews = false;
    for (var each : fresh) {
      hasNews |= put(each);
    }
    for (var event : grid.events(nextEvent)) {
      hasNews |= put(event);
      nextEvent = event.number() + 1;
    }
    pace.ended(hasNews);
    while (rows.size() > MOST_ROWS) {
      drop(rows.keySet().iterator().next());
    }
    last =
        new WatchRecord.Round(
            epoch + "-" + round,
            System.currentTimeMillis(),
            nodes,
            silent,
            (System.nanoTime() - beganNanos) / NANOS,
            rows.size(),
            dropped);
  }

  /** Keeps a row that has changed; returns whether that shows that something happens. */
  private boolean put(WatchRecord content) {
    var key = content.key();
    var row = rows.get(key);
    var before = row == null ? null : row.content();
    if (content.equals(before)) {
      return false;
    }
    rows.remove(key); // so that it moves to the end
    rows.put(key, new Row(content, round));
    var most = most(content);
    if (most < Integer.MAX_VALUE) {
      makeRoom(key, most);
    }
    return RoundPace.isNews(before, content);
  }

  /**
   * Drops the row of the same kind and node that changed first, if there are too many. Its group is
   * in the order of the rows, so that no other row is visited.
   */
  private void makeRoom(String key, int most) {
    var group = bounded.computeIfAbsent(group(key), _ -> new LinkedHashSet<>());
    group.remove(key);
    group.add(key);
    if (group.size() > most) {
      drop(group.iterator().next());
    }
  }

  private void drop(String key) {
    if (rows.remove(key) == null) {
      return;
    }
    dropped++;
    var group = bounded.get(group(key));
    if (group != null && group.remove(key) && group.isEmpty()) {
      bounded.remove(group(key));
    }
  }

  private static int most(WatchRecord content) {
    return switch (content) {
      case WatchRecord.Method _ -> MOST_METHODS;
      case WatchRecord.Class _ -> MOST_CLASSES;
      case WatchRecord.Cycle _ -> MOST_CYCLES;
      case WatchRecord.Operation _ -> MOST_OPERATIONS;
      case WatchRecord.Pair _ -> MOST_PAIRS;
      case WatchRecord.Failure _ -> MOST_FAILURES;
      case WatchRecord.Node _,
          WatchRecord.Queues _,
          WatchRecord.Waits _,
          WatchRecord.Collective _,
          WatchRecord.Job _,
          WatchRecord.Panel _,
          WatchRecord.Vitals _,
          WatchRecord.Event _,
          WatchRecord.Begin _,
          WatchRecord.Round _ ->
          Integer.MAX_VALUE;
    };
  }

  /** Returns the kind and the node of a key. */
  private static String group(String key) {
    var kind = key.indexOf('\t');
    var node = key.indexOf('\t', kind + 1);
    return node < 0 ? key : key.substring(0, node);
  }
}
