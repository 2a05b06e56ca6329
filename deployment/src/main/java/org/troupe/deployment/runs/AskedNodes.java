package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.NodeReport;
import org.troupe.deployment.watch.ClockOffset;

/** Asks nodes of a grid, some at a time, and compares their clocks. Used by one thread. */
final class AskedNodes {

  private static final int AT_ONCE = 16;
  private static final int ROUND_TRIPS = 8; // to compare clocks

  /** The report of a node, and when it was there. */
  private record Answer(NodeReport report, long nanos) {}

  /** Waits for an answer until a deadline. */
  private interface Taking<A, R> {
    R take(A answer, long deadline) throws ExecutionException, TimeoutException;
  }

  private final GridMember host;
  private final Duration patience;
  private final BiConsumer<Node, Exception> failed;

  /**
   * Creates it.
   *
   * @param patience how long to wait for the answers of nodes that are asked at once
   * @param failed takes a node that has not answered in time or has failed, and the failure
   */
  AskedNodes(GridMember host, Duration patience, BiConsumer<Node, Exception> failed) {
    this.host = host;
    this.patience = patience;
    this.failed = failed;
  }

  /**
   * Returns nodes in lists of those that should be asked at once, so that answers fit in memory.
   */
  static List<List<Node>> chunks(List<Node> nodes) {
    List<List<Node>> chunks = new ArrayList<>();
    for (var i = 0; i < nodes.size(); i += AT_ONCE) {
      chunks.add(nodes.subList(i, Math.min(nodes.size(), i + AT_ONCE)));
    }
    return chunks;
  }

  /** Asks nodes at once; returns the answers of those that have answered in time. */
  <R> Map<Node, R> answers(List<Node> nodes, Function<Node, CompletableFuture<R>> ask) {
    return taken(nodes, ask, (answer, deadline) -> GridController.awaited(answer, deadline));
  }

  /** Asks nodes at once; returns the reports of those that have answered in time. */
  Map<Node, NodeReport> reports(List<Node> nodes, Duration visit) {
    return taken(
        nodes,
        each -> host.report(each, visit),
        (report, deadline) -> GridController.awaited(report, deadline));
  }

  private <A, R> Map<Node, R> taken(List<Node> nodes, Function<Node, A> ask, Taking<A, R> taking) {
    Map<Node, A> asked = new LinkedHashMap<>();
    nodes.forEach(each -> asked.put(each, ask.apply(each)));
    var deadline = System.nanoTime() + patience.toNanos();
    Map<Node, R> answers = new LinkedHashMap<>();
    asked.forEach(
        (node, answer) -> {
          try {
            answers.put(node, taking.take(answer, deadline));
          } catch (ExecutionException | TimeoutException e) {
            failed.accept(node, e);
          }
        });
    return answers;
  }

  /**
   * Compares the clocks of nodes with that of this program; returns the offsets of those that have
   * answered.
   */
  Map<Node, ClockOffset.Estimate> clocks(List<Node> nodes) {
    Map<Node, ClockOffset> offsets = new HashMap<>();
    var left = nodes;
    for (var i = 0; i < ROUND_TRIPS && !left.isEmpty(); i++) {
      var asked = System.nanoTime();
      var answers =
          taken(
              left,
              each -> host.report(each, Duration.ZERO),
              (report, deadline) ->
                  new Answer(GridController.awaited(report, deadline), report.arrivedNanos()));
      answers.forEach(
          (node, answer) ->
              offsets
                  .computeIfAbsent(node, _ -> new ClockOffset())
                  .add(asked, answer.report().activity().clockNanos(), answer.nanos()));
      left = List.copyOf(answers.keySet()); // a silent node delays the others once
    }
    Map<Node, ClockOffset.Estimate> best = new HashMap<>();
    offsets.forEach(
        (node, offset) -> {
          var estimate =
              node.isLocal() ? new ClockOffset.Estimate(0, 0) : offset.best(); // one clock
          if (estimate != null) {
            best.put(node, estimate);
          }
        });
    return best;
  }
}
