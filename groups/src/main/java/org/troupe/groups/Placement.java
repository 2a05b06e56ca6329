package org.troupe.groups;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.troupe.activeobjects.Node;

/** Assigns the members of a group to nodes. */
@FunctionalInterface
public interface Placement {

  /**
   * Returns a node for each member, in the order of their ranks.
   *
   * @param nodes at least one
   */
  List<Node> place(List<Node> nodes);

  /** Places a fixed number of members on each node; members of a node have consecutive ranks. */
  static Placement each(int perNode) {
    requirePositive(perNode, "members on each node");
    return nodes -> {
      var places = new ArrayList<Node>(nodes.size() * perNode);
      for (var node : nodes) {
        for (var i = 0; i < perNode; i++) {
          places.add(node);
        }
      }
      return places;
    };
  }

  /** Places a fixed number of members, by turns on each node. */
  static Placement roundRobin(int count) {
    requirePositive(count, "members");
    return nodes -> {
      var places = new ArrayList<Node>(count);
      for (var rank = 0; rank < count; rank++) {
        places.add(nodes.get(rank % nodes.size()));
      }
      return places;
    };
  }

  /** Places a fixed number of members, filling one node after the other. */
  static Placement packed(int count, int perNode) {
    requirePositive(count, "members");
    requirePositive(perNode, "members on each node");
    return nodes -> {
      if (count > (long) nodes.size() * perNode) {
        throw new IllegalArgumentException(
            count
                + " members do not fit on "
                + nodes.size()
                + " nodes with "
                + perNode
                + " each; give more nodes, or more places on each");
      }
      var places = new ArrayList<Node>(count);
      for (var rank = 0; rank < count; rank++) {
        places.add(nodes.get(rank / perNode));
      }
      return places;
    };
  }

  /** Places a fixed number of members on each machine, by turns on its nodes. */
  static Placement perHost(int perHost) {
    requirePositive(perHost, "members on each host");
    return nodes -> {
      var hosts = new LinkedHashMap<String, List<Node>>();
      for (var node : nodes) {
        hosts.computeIfAbsent(node.host(), host -> new ArrayList<>()).add(node);
      }
      var places = new ArrayList<Node>(hosts.size() * perHost);
      for (var itsNodes : hosts.values()) {
        places.addAll(roundRobin(perHost).place(itsNodes));
      }
      return places;
    };
  }

  /**
   * Places a fixed number of members in each virtual node, by turns on its nodes; a node that
   * belongs to several virtual nodes counts in each.
   */
  static Placement perVirtualNode(int perVirtualNode) {
    requirePositive(perVirtualNode, "members in each virtual node");
    return nodes -> {
      var virtualNodes = new LinkedHashMap<String, List<Node>>();
      for (var node : nodes) {
        if (node.virtualNodes().isEmpty()) {
          throw new IllegalArgumentException(
              "node '"
                  + node.name()
                  + "' is of no virtual node, so it has no place in a placement by virtual nodes;"
                  + " map one to it in the descriptor, or leave it out");
        }
        for (var name : node.virtualNodes()) {
          virtualNodes.computeIfAbsent(name, each -> new ArrayList<>()).add(node);
        }
      }
      var places = new ArrayList<Node>(virtualNodes.size() * perVirtualNode);
      for (var itsNodes : virtualNodes.values()) {
        places.addAll(roundRobin(perVirtualNode).place(itsNodes));
      }
      return places;
    };
  }

  private static void requirePositive(int count, String of) {
    if (count < 1) {
      throw new IllegalArgumentException(count + " " + of + " make no group; give at least 1");
    }
  }
}
