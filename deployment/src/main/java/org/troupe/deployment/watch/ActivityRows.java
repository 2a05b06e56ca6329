package org.troupe.deployment.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeActivity;

/** The rows of the reports of nodes. */
public final class ActivityRows {

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private ActivityRows() {}

  /** Returns all rows of the report of a node but that of the node itself. */
  public static List<WatchRecord> of(String node, NodeActivity activity) {
    List<WatchRecord> rows = new ArrayList<>(methods(node, activity));
    rows.add(new WatchRecord.Queues(node, queues(activity)));
    rows.add(new WatchRecord.Waits(node, waits(activity)));
    rows.addAll(pairs(node, activity));
    rows.addAll(failures(node, activity));
    return rows;
  }

  /** Returns the methods of a node, the busiest first. */
  private static List<WatchRecord.Method> methods(String node, NodeActivity activity) {
    return activity.methods().stream()
        .map(
            each ->
                new WatchRecord.Method(
                    node,
                    each.type(),
                    each.method(),
                    each.accepted(),
                    each.served(),
                    each.failed(),
                    times(each.waits()),
                    times(each.services())))
        .toList();
  }

  private static WatchRecord.@Nullable Times times(NodeActivity.Times times) {
    return times.samples() == 0
        ? null
        : new WatchRecord.Times(
            times.samples(),
            times.medianNanos() / NANOS,
            times.p99Nanos() / NANOS,
            times.mostNanos() / NANOS);
  }

  /** Returns the objects of a node with requests. */
  private static List<WatchRecord.Queue> queues(NodeActivity activity) {
    return activity.queues().stream()
        .map(
            each ->
                new WatchRecord.Queue(
                    each.object(),
                    each.type(),
                    each.queued(),
                    each.serving(),
                    each.caller(),
                    seconds(each.servingMicros())))
        .toList();
  }

  /** Returns the objects of a node that wait. */
  private static List<WatchRecord.Wait> waits(NodeActivity activity) {
    return activity.waits().stream()
        .map(
            each ->
                new WatchRecord.Wait(
                    each.object(),
                    each.type(),
                    each.serving(),
                    each.awaited(),
                    seconds(each.waitingMicros())))
        .toList();
  }

  private static double seconds(long micros) {
    return micros < 0 ? -1 : micros / MICROS;
  }

  /** Returns the traffic of a node with others. */
  private static List<WatchRecord.Pair> pairs(String node, NodeActivity activity) {
    return activity.peers().stream()
        .map(
            each ->
                new WatchRecord.Pair(
                    node,
                    each.node(),
                    each.driver(),
                    each.messages(),
                    each.bytes(),
                    each.resets(),
                    each.roundTripNanos() / NANOS))
        .toList();
  }

  /** Returns the groups of the failures of a node. */
  private static List<WatchRecord.Failure> failures(String node, NodeActivity activity) {
    return activity.failures().stream()
        .map(
            each ->
                new WatchRecord.Failure(
                    node,
                    each.kind().toString(),
                    each.call(),
                    each.exception(),
                    each.frame(),
                    each.count(),
                    each.firstMillis(),
                    each.lastMillis(),
                    each.example()))
        .toList();
  }

  /**
   * Returns the methods of all nodes together, in the order of the first row of each. Counts are
   * added; of the times, the longest ones of a node stand for all.
   */
  static List<WatchRecord.Method> together(List<WatchRecord.Method> rows) {
    Map<String, WatchRecord.Method> sums = new LinkedHashMap<>();
    for (var each : rows) {
      sums.merge(each.type() + "\t" + each.method(), each, ActivityRows::sum);
    }
    return List.copyOf(sums.values());
  }

  private static WatchRecord.Method sum(WatchRecord.Method one, WatchRecord.Method other) {
    return new WatchRecord.Method(
        one.node().equals(other.node()) ? one.node() : "",
        one.type(),
        one.method(),
        one.accepted() + other.accepted(),
        one.served() + other.served(),
        one.failed() + other.failed(),
        longest(one.waits(), other.waits()),
        longest(one.services(), other.services()));
  }

  private static WatchRecord.@Nullable Times longest(
      WatchRecord.@Nullable Times one, WatchRecord.@Nullable Times other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return new WatchRecord.Times(
        one.samples() + other.samples(),
        Math.max(one.median(), other.median()),
        Math.max(one.p99(), other.p99()),
        Math.max(one.most(), other.most()));
  }

  /** Returns the failures of all nodes together, the last one first. */
  static List<WatchRecord.Failure> failuresTogether(List<WatchRecord.Failure> rows) {
    Map<String, WatchRecord.Failure> sums = new LinkedHashMap<>();
    for (var each : rows) {
      var place = List.of(each.cause(), each.call(), each.exception(), each.frame()).toString();
      sums.merge(place, each, ActivityRows::sum);
    }
    var all = new ArrayList<>(sums.values());
    all.sort(Comparator.comparingLong(WatchRecord.Failure::lastMillis).reversed());
    return all;
  }

  private static WatchRecord.Failure sum(WatchRecord.Failure one, WatchRecord.Failure other) {
    var last = one.lastMillis() >= other.lastMillis() ? one : other;
    return new WatchRecord.Failure(
        one.node().equals(other.node()) ? one.node() : "",
        one.cause(),
        one.call(),
        one.exception(),
        one.frame(),
        one.count() + other.count(),
        Math.min(one.firstMillis(), other.firstMillis()),
        last.lastMillis(),
        last.example());
  }
}
