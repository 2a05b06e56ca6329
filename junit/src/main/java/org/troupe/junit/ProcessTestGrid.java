package org.troupe.junit;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.FailureHandler.CallFailure;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.RemoteFailure;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.runs.RunningGrid;

/** Nodes in JVMs of their own, on this machine. */
final class ProcessTestGrid extends TestGrid {

  private static final String PROCESS = Long.toString(ProcessHandle.current().pid());
  private static final int MOST_LINES = 200;
  private static final int MOST_SHOWN = 20;

  private final Grid grid;
  private final GridMember member;
  private final Map<Node, NodeFailures> failures = new LinkedHashMap<>();
  private final Deque<OutputLine> output = new ArrayDeque<>(); // the last lines; under itself

  ProcessTestGrid(int count) {
    grid = Grid.local(count, GridOptions.standard().withOutput(this::printed));
    member = GridMember.of(grid.nodes().first());
    for (var node : grid.nodes()) {
      failures.put(node, ActiveObjects.on(node).create(NodeFailures.class));
    }
  }

  private void printed(OutputLine line) {
    synchronized (output) {
      if (output.size() == MOST_LINES) {
        output.removeFirst();
      }
      output.addLast(line);
    }
  }

  @Override
  Nodes nodes() {
    return grid.nodes();
  }

  @Override
  Object handle() {
    return grid;
  }

  @Override
  GridMember member() {
    return member;
  }

  @Override
  List<Node> members() {
    var all = new ArrayList<>(List.of(member.self()));
    failures.keySet().stream().filter(Node::isAlive).forEach(all::add);
    return all;
  }

  @Override
  void collect() {
    failures.forEach(
        (node, ofNode) -> {
          if (node.isAlive()) {
            collect(node, ofNode);
          }
        });
  }

  private void collect(Node node, NodeFailures ofNode) {
    String[] texts;
    try {
      texts = ofNode.takeAll();
    } catch (NodeLostException e) {
      return; // with its failures
    }
    for (var i = 0; i < texts.length; i += NodeFailures.TEXTS) {
      report(
          new CallFailure(
              texts[i] + ", called from node '" + node.name() + "'",
              new RemoteFailure(texts[i + 1], texts[i + 2], null)));
    }
  }

  @Override
  List<String> busyObjects() {
    try {
      var running = running();
      if (running.isEmpty()) {
        return List.of();
      }
      return running.get().objects("", "", MOST_SHOWN).objects().stream()
          .filter(each -> each.queued() > 0 || !each.serving().isEmpty())
          .map(each -> BusyObject.line(each.node(), each.type(), each.queued(), each.serving()))
          .toList();
    } catch (IOException e) {
      return List.of(); // the grid was closed by the test
    }
  }

  /** Returns the grid as other programs see it; empty if the test has closed it. */
  private Optional<RunningGrid> running() throws IOException {
    for (var each : RunningGrid.all()) {
      if (each.id().split("-")[0].equals(PROCESS) && each.status().run().equals(grid.run())) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  @Override
  String state() {
    var text = new StringBuilder();
    try {
      var running = running();
      if (running.isPresent()) {
        text.append(running.get().stack(""));
      }
    } catch (IOException e) {
      text.append("the grid gave no stacks: ").append(e.getMessage()).append('\n');
    }
    synchronized (output) {
      if (!output.isEmpty()) {
        text.append("== the last output of the nodes\n");
        output.forEach(line -> text.append(line).append('\n'));
      }
    }
    return text.toString();
  }

  @Override
  List<String> close() {
    var processes =
        failures.keySet().stream()
            .map(node -> node.attributes().get("pid"))
            .filter(Objects::nonNull)
            .map(Long::valueOf)
            .toList();
    grid.close();
    var left = new ArrayList<String>();
    for (var pid : processes) {
      if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
        left.add("process " + pid + " of a node");
      }
    }
    return left;
  }
}
