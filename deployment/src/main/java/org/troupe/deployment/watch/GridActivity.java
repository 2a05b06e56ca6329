package org.troupe.deployment.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The activity of all nodes of a grid together: the rows that matter most. Immutable.
 *
 * @param methods the methods of all nodes together, those with most requests first; quantiles of
 *     several nodes are estimated from those of each
 * @param queues the objects with the longest queues, or else the longest services
 * @param waits the objects that wait, the longest first
 * @param collectives the groups of which members wait for others, the longest first
 * @param pairs the traffic between nodes, the most bytes first
 * @param failures the failures of all nodes together, the last one first
 * @param leftOut how many rows the reports of the nodes have left out
 * @param unvisited how many objects the nodes have not looked at
 */
public record GridActivity(
    List<WatchRecord.Method> methods,
    List<NodeQueue> queues,
    List<NodeWait> waits,
    List<WatchRecord.Collective> collectives,
    List<WatchRecord.Pair> pairs,
    List<WatchRecord.Failure> failures,
    long leftOut,
    long unvisited) {

  /** No activity. */
  public static final GridActivity NONE =
      new GridActivity(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), 0, 0);

  private static final int MOST = 100; // rows of a kind

  /** Copies the lists. */
  public GridActivity {
    methods = List.copyOf(methods);
    queues = List.copyOf(queues);
    waits = List.copyOf(waits);
    collectives = collectives == null ? List.of() : List.copyOf(collectives); // of an older program
    pairs = List.copyOf(pairs);
    failures = List.copyOf(failures);
  }

  /** An object with requests, on a node. */
  public record NodeQueue(String node, WatchRecord.Queue object) {}

  /** An object that waits, on a node. */
  public record NodeWait(String node, WatchRecord.Wait object) {}

  /** Returns what rows of several nodes say together. */
  public static GridActivity of(Collection<? extends WatchRecord> rows) {
    List<WatchRecord.Method> methods = new ArrayList<>();
    List<NodeQueue> queues = new ArrayList<>();
    List<NodeWait> waits = new ArrayList<>();
    List<WatchRecord.Collective> collectives = new ArrayList<>();
    List<WatchRecord.Pair> pairs = new ArrayList<>();
    List<WatchRecord.Failure> failures = new ArrayList<>();
    var leftOut = 0L;
    var unvisited = 0L;
    for (var row : rows) {
      switch (row) {
        case WatchRecord.Method its -> methods.add(its);
        case WatchRecord.Queues its ->
            its.queues().forEach(each -> queues.add(new NodeQueue(its.node(), each)));
        case WatchRecord.Waits its ->
            its.waits().forEach(each -> waits.add(new NodeWait(its.node(), each)));
        case WatchRecord.Collective its when its.operation().isEmpty() -> {
          // None waits any longer.
        }
        case WatchRecord.Collective its -> collectives.add(its);
        case WatchRecord.Pair its -> pairs.add(its);
        case WatchRecord.Failure its -> failures.add(its);
        case WatchRecord.Node its -> {
          var load = its.load();
          leftOut += load == null ? 0 : load.leftOut();
          unvisited += load == null ? 0 : load.unvisited();
        }
        case WatchRecord.Event _,
            WatchRecord.Operation _,
            WatchRecord.Cycle _,
            WatchRecord.Class _,
            WatchRecord.Job _,
            WatchRecord.Panel _,
            WatchRecord.Vitals _,
            WatchRecord.Begin _,
            WatchRecord.Round _ -> {}
      }
    }
    queues.sort(
        Comparator.comparingInt((NodeQueue each) -> each.object().queued())
            .thenComparingDouble(each -> each.object().servingSeconds())
            .reversed());
    waits.sort(
        Comparator.comparingDouble((NodeWait each) -> each.object().waitingSeconds()).reversed());
    collectives.sort(Comparator.comparingDouble(WatchRecord.Collective::waitingSeconds).reversed());
    pairs.sort(Comparator.comparingLong(WatchRecord.Pair::bytes).reversed());
    return new GridActivity(
        some(ActivityRows.together(methods)),
        some(queues),
        some(waits),
        some(collectives),
        some(pairs),
        some(ActivityRows.failuresTogether(failures)),
        leftOut,
        unvisited);
  }

  /** Returns this activity with other numbers of missing rows and objects. */
  public GridActivity with(long otherLeftOut, long otherUnvisited) {
    return new GridActivity(
        methods, queues, waits, collectives, pairs, failures, otherLeftOut, otherUnvisited);
  }

  private static <R> List<R> some(List<R> rows) {
    return rows.subList(0, Math.min(rows.size(), MOST));
  }
}
