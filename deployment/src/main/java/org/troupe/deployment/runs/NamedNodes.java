package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.watch.NaturalOrder;

/** The nodes of a grid by the names that users give. Thread-safe. */
final class NamedNodes {

  private static final int MOST_NAMED = 20; // nodes in a message

  private final GridMember host;
  private final List<NodeProcess> running;

  NamedNodes(GridMember host, List<NodeProcess> running) {
    this.host = host;
    this.running = running;
  }

  /**
   * Returns the process of a node, or with the empty name of all nodes in the order of their names;
   * those that have ended, too.
   *
   * @throws RefusedRequestException if there is no such node; the message names some
   */
  List<NodeProcess> processes(String name) {
    var all =
        running.stream()
            .sorted(Comparator.comparing(NodeProcess::name, NaturalOrder.OF_NAMES))
            .toList();
    var found = all.stream().filter(each -> name.isEmpty() || each.name().equals(name)).toList();
    if (found.isEmpty()) {
      throw new RefusedRequestException(
          "there is no node '"
              + name
              + "'; there are "
              + all.stream()
                  .limit(MOST_NAMED)
                  .map(NodeProcess::name)
                  .collect(Collectors.joining(", "))
              + (all.size() > MOST_NAMED
                  ? " and " + (all.size() - MOST_NAMED) + " more; 'troupe status --all' lists them"
                  : ""));
    }
    return found;
  }

  /**
   * Returns a node, or with the empty name the program and all nodes in the order of their names,
   * as far as they are members.
   *
   * @throws RefusedRequestException if there is no such node; the message names some
   */
  List<Node> members(String name) {
    List<Node> members = new ArrayList<>();
    if (name.isEmpty() || name.equals(host.self().name())) {
      members.add(host.self());
    }
    if (members.isEmpty() || name.isEmpty()) {
      var wanted = processes(name).stream().map(NodeProcess::name).collect(Collectors.toSet());
      host.nodes("").list().stream()
          .filter(each -> wanted.contains(each.name()))
          .sorted(Comparator.comparing(Node::name, NaturalOrder.OF_NAMES))
          .forEach(members::add);
    }
    return members;
  }

  /**
   * Checks that a name is that of the program or of a node, which may have ended.
   *
   * @throws RefusedRequestException if it is not; the message names some nodes
   */
  void check(String name) {
    if (!name.equals(host.self().name())) {
      processes(name);
    }
  }

  /**
   * Returns a node that is a member.
   *
   * @throws RefusedRequestException if there is none of this name now
   */
  Node member(String name) {
    if (name.isEmpty()) {
      throw new RefusedRequestException("no node is named; add its name");
    }
    return members(name).stream()
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedRequestException(
                    "node '%s' is not there now; 'troupe status' says why".formatted(name)));
  }
}
