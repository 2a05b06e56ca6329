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
    rows.addAll(classes(node, activity));
    rows.addAll(pairs(node, activity));
    rows.addAll(failures(node, activity));
    rows.addAll(operations(node, activity));
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
                    seconds(each.servingMicros()),
                    seconds(each.leastMicros())))
        .toList();
  }

  /** Returns the objects of a node that wait. */
  private static List<WatchRecord.Wait> waits(NodeActivity activity) {
    return activity.waits().stream().map(ActivityRows::wait).toList();
  }

  /** Returns what an object waits for. */
  public static WatchRecord.Wait wait(NodeActivity.WaitLine line) {
    return new WatchRecord.Wait(
        line.object(),
        line.type(),
        line.serving(),
        line.kind().toString(),
        line.awaited(),
        line.awaitedObject(),
        line.awaitedNode(),
        line.awaitedMethod(),
        seconds(line.waitingMicros()),
        seconds(line.leastMicros()),
        line.line(),
        line.group().group(),
        line.group().rank(),
        line.group().size(),
        line.group().missing());
  }

  /** Returns the classes of the objects of a node. */
  private static List<WatchRecord.Class> classes(String node, NodeActivity activity) {
    return activity.classes().stream()
        .map(
            each ->
                new WatchRecord.Class(
                    node,
                    each.type(),
                    each.objects(),
                    each.queued(),
                    each.serving(),
                    each.longestQueue(),
                    each.longestObject(),
                    each.isWhole()))
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

  /** Returns the collective operations in which the objects of a node have taken part. */
  private static List<WatchRecord.Operation> operations(String node, NodeActivity activity) {
    return activity.operations().stream()
        .map(
            each ->
                new WatchRecord.Operation(
                    node,
                    each.group(),
                    each.type(),
                    each.size(),
                    each.operation(),
                    each.algorithm(),
                    each.parts(),
                    each.bytes()))
        .toList();
  }

  /** Returns the methods of all nodes together, those with most requests first. */
  static List<WatchRecord.Method> together(List<WatchRecord.Method> rows) {
    Map<String, List<WatchRecord.Method>> alike = new LinkedHashMap<>();
    for (var each : rows) {
      alike.computeIfAbsent(each.type() + "\t" + each.method(), _ -> new ArrayList<>()).add(each);
    }
    return alike.values().stream()
        .map(ActivityRows::sum)
        .sorted(
            Comparator.comparingLong(WatchRecord.Method::served)
                .thenComparingLong(WatchRecord.Method::accepted)
                .reversed())
        .toList();
  }

  private static WatchRecord.Method sum(List<WatchRecord.Method> rows) {
    var first = rows.getFirst();
    return new WatchRecord.Method(
        rows.stream().allMatch(each -> each.node().equals(first.node())) ? first.node() : "",
        first.type(),
        first.method(),
        rows.stream().mapToLong(WatchRecord.Method::accepted).sum(),
        rows.stream().mapToLong(WatchRecord.Method::served).sum(),
        rows.stream().mapToLong(WatchRecord.Method::failed).sum(),
        MergedTimes.of(rows.stream().map(WatchRecord.Method::waits).toList()),
        MergedTimes.of(rows.stream().map(WatchRecord.Method::services).toList()));
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
