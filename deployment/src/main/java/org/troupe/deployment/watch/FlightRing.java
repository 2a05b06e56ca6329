package org.troupe.deployment.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeVitals;

/** The past of the nodes of a grid, from the vital signs that come with their heartbeats. */
public final class FlightRing {

  /*
   * Design: the past in a bounded memory
   *
   * Vital signs are counts since the beginning of a JVM. The difference of two makes a point, in columns of primitives. A node has the
   * points of the last RECENT_MILLIS as they came; those that become older are averaged over AVERAGE_SECONDS and kept for OLD_MILLIS.
   * A node that left longer ago is forgotten when another one comes.
   * All nodes together have at most MOST_POINTS; when there are more, the node with most points drops its oldest ones.
   *
   * Each point has a number, which grows. A client names the last number that it has, and gets points behind it, the oldest first
   * and a part at a time, so that a long past costs no round much. An average has the number of the last point in it: a client
   * that comes late gets the average only, and one that was there before gets it once more, behind its parts.
   *
   * Threads: all methods take the monitor, for the time of a copy.
   */
  private static final int MOST_BYTES = 32 << 20;

  static final int MOST_POINTS = MOST_BYTES / VitalsColumns.BYTES;

  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(30);
  private static final long OLD_MILLIS = TimeUnit.HOURS.toMillis(24);
  private static final float AVERAGE_SECONDS = 10;
  private static final int PART = 10_000; // points that a round has at least, if there are so many
  private static final int DROPPED_AT_ONCE = 64;
  private static final double NANOS = 1e9;

  private final int most;
  private final Map<String, Past> pasts = new LinkedHashMap<>(); // guarded by this
  private int points; // guarded by this
  private long last; // guarded by this
  private long changes; // guarded by this

  /** The past of a node. */
  private static final class Past {
    private final VitalsColumns old = new VitalsColumns();
    private final VitalsColumns recent = new VitalsColumns();
    private VitalsColumns.@Nullable Point average; // of points that are no longer recent
    private @Nullable NodeVitals before;
    private long beforeNanos;
    private long seenMillis; // when the last vital signs came

    int size() {
      return old.size() + recent.size();
    }
  }

  /** Creates an empty ring. */
  public FlightRing() {
    this(MOST_POINTS);
  }

  /** Creates a ring with another bound, for a test. */
  FlightRing(int most) {
    this.most = most;
  }

  /**
   * Adds vital signs of a node.
   *
   * @param millis the present time of the day
   * @param nanos when they arrived, in the time of {@link System#nanoTime}
   */
  public synchronized void add(String node, long millis, long nanos, NodeVitals vitals) {
    if (!pasts.containsKey(node)) {
      forgetNodes(millis);
    }
    var past = pasts.computeIfAbsent(node, _ -> new Past());
    past.seenMillis = millis;
    var before = past.before;
    var began = past.beforeNanos;
    past.before = vitals;
    past.beforeNanos = nanos;
    if (before == null || nanos - began <= 0) {
      return; // a point takes two
    }
    changes += hasWorked(before, vitals) ? 1 : 0;
    var seconds = (nanos - began) / NANOS;
    points -= past.size();
    past.recent.add(
        new VitalsColumns.Point(
            ++last,
            millis,
            (float) seconds,
            rate(before.cpuNanos(), vitals.cpuNanos(), seconds * NANOS),
            rate(before.collectionNanos(), vitals.collectionNanos(), seconds * NANOS),
            vitals.heapUsedBytes(),
            vitals.residentBytes(),
            vitals.queued(),
            vitals.waiting(),
            rate(before.served(), vitals.served(), seconds),
            rate(before.failed(), vitals.failed(), seconds),
            rate(before.bytesOut(), vitals.bytesOut(), seconds)));
    age(past, millis);
    points += past.size();
    if (points > most) {
      drop();
    }
  }

  private static boolean hasWorked(NodeVitals before, NodeVitals now) {
    return before.served() != now.served()
        || before.failed() != now.failed()
        || before.queued() != now.queued()
        || before.waiting() != now.waiting();
  }

  private static float rate(long before, long now, double over) {
    return (float) (Math.max(0, now - before) / over);
  }

  private static void age(Past past, long millis) {
    while (past.recent.size() > 0 && past.recent.oldestMillis() < millis - RECENT_MILLIS) {
      var point = past.recent.removeOldest();
      var average = past.average == null ? point : past.average.with(point);
      if (average.spanSeconds() >= AVERAGE_SECONDS) {
        past.old.add(average);
        past.average = null;
      } else {
        past.average = average;
      }
    }
    while (past.old.size() > 0 && past.old.oldestMillis() < millis - OLD_MILLIS) {
      past.old.removeOldest();
    }
  }

  /** Forgets nodes that left long ago: grids that replace their nodes may have thousands. */
  private void forgetNodes(long millis) {
    var all = pasts.values().iterator();
    while (all.hasNext()) {
      var each = all.next();
      if (each.seenMillis < millis - OLD_MILLIS) {
        points -= each.size();
        all.remove();
      }
    }
  }

  private void drop() {
    Past longest = null;
    for (var each : pasts.values()) {
      if (longest == null || each.size() > longest.size()) {
        longest = each;
      }
    }
    for (var i = 0; longest != null && i < DROPPED_AT_ONCE && longest.size() > 0; i++) {
      (longest.old.size() > 0 ? longest.old : longest.recent).removeOldest();
      points--;
    }
  }

  /** Returns how often the vital signs of a node have shown that its objects serve or wait. */
  synchronized long changes() {
    return changes;
  }

  /** Returns the number of the last point; 0 if there is none. */
  synchronized long last() {
    return last;
  }

  /** Returns how many points are kept. */
  synchronized int size() {
    return points;
  }

  /**
   * Points behind a number.
   *
   * @param upTo the number of the last point that they may contain
   */
  record Part(List<WatchRecord> rows, long upTo) {}

  /** Returns the oldest points behind a number, as a row per node. */
  synchronized Part behind(long number) {
    var upTo = last;
    for (var width = (long) PART; number + width < last; width *= 2) {
      if (count(number, number + width) >= PART / 2) {
        upTo = number + width;
        break;
      }
    }
    List<WatchRecord> rows = new ArrayList<>();
    for (var each : pasts.entrySet()) {
      var selection = new VitalsColumns.Selection(each.getKey());
      each.getValue().old.select(number, upTo, selection);
      each.getValue().recent.select(number, upTo, selection);
      if (!selection.isEmpty()) {
        rows.add(selection.row());
      }
    }
    return new Part(rows, upTo);
  }

  private int count(long behind, long upTo) {
    var count = 0;
    for (var each : pasts.values()) {
      count += each.old.count(behind, upTo) + each.recent.count(behind, upTo);
    }
    return count;
  }
}
