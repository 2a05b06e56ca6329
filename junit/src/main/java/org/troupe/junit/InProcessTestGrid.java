package org.troupe.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.hosting.ObjectQuery;
import org.troupe.activeobjects.hosting.ObjectReport;

/** Nodes in the JVM of the test. */
final class InProcessTestGrid extends TestGrid {

  private static final long ANSWER_SECONDS = 5;
  private static final int MOST_SHOWN = 20;

  private final LocalNodes local;
  private final GridMember member;

  InProcessTestGrid(int count) {
    local = LocalNodes.start(count);
    member = GridMember.of(local);
  }

  @Override
  Nodes nodes() {
    return local.nodes();
  }

  @Override
  Object handle() {
    return local;
  }

  @Override
  GridMember member() {
    return member;
  }

  @Override
  List<Node> members() {
    var all = new ArrayList<>(List.of(member.self()));
    all.addAll(local.nodes().list());
    return all;
  }

  @Override
  void collect() {
    // There are no other JVMs.
  }

  @Override
  List<String> busyObjects() {
    var busy = new ArrayList<String>();
    for (var node : members()) {
      answer(member.objects(node, new ObjectQuery("", MOST_SHOWN)))
          .filter(report -> report.total().queued() + report.total().serving() > 0)
          .ifPresent(report -> busy.addAll(lines(node, report)));
    }
    return busy;
  }

  private static List<String> lines(Node node, ObjectReport report) {
    return report.objects().stream()
        .filter(each -> each.queued() > 0 || !each.serving().isEmpty())
        .map(each -> BusyObject.line(node.name(), each.type(), each.queued(), each.serving()))
        .toList();
  }

  @Override
  String state() {
    var text = new StringBuilder();
    for (var node : members()) {
      var isLast = node.equals(member.self());
      answer(member.stack(node))
          .ifPresent(stack -> text.append(section(node, isLast ? stack : waits(stack))));
    }
    return text.toString();
  }

  private static String section(Node node, String stack) {
    return "== node '" + node.name() + "'\n" + stack;
  }

  /** All nodes have the same threads, so those of one are enough. */
  private static String waits(String stack) {
    var end = stack.indexOf("\n\n");
    return end < 0 || stack.startsWith("\n") ? "" : stack.substring(0, end + 1);
  }

  private static <R> Optional<R> answer(CompletableFuture<R> answer) {
    try {
      return Optional.of(answer.get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty(); // the node has ended, or is too busy to answer
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  List<String> close() {
    local.close();
    return List.of();
  }
}
