package org.troupe.tasks.nodes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The nodes that take part, as one of them knows them, and the way to them. */
final class TaskPeers {

  /** Sends packets, which arrive at each receiver in the order sent. */
  @FunctionalInterface
  interface Link {
    void send(TaskMember receiver, long tag, @Nullable Object value);
  }

  private final int number;
  private final Link link;
  private final Map<Integer, TaskMember> members = new ConcurrentHashMap<>();
  private final Map<NodeId, String> lost = new ConcurrentHashMap<>();

  /**
   * Creates the peers.
   *
   * @param number that of this node
   */
  TaskPeers(int number, Link link) {
    this.number = number;
    this.link = link;
  }

  /** Returns the number of this node. */
  int number() {
    return number;
  }

  void add(TaskMember member) {
    members.put(member.number(), member);
  }

  void remove(TaskMember member) {
    members.remove(member.number());
  }

  /** Returns the member with a number; {@code null} if it is not known, or was lost. */
  @Nullable TaskMember get(int member) {
    return members.get(member);
  }

  /** Returns all members that are known, this node included. */
  List<TaskMember> all() {
    return List.copyOf(members.values());
  }

  /** Returns the other members that are alive. */
  List<TaskMember> others() {
    return members.values().stream()
        .filter(each -> each.number() != number && isAlive(each))
        .toList();
  }

  /** Returns whether a member belongs to the cluster of this node. */
  boolean isNear(TaskMember other) {
    var self = members.get(number);
    return self == null || self.cluster().equals(other.cluster());
  }

  boolean isAlive(TaskMember member) {
    return !lost.containsKey(member.node());
  }

  /** Returns how a node was lost; {@code null} if it was not. */
  @Nullable String lossOf(NodeId node) {
    return lost.get(node);
  }

  /** Records that a node was lost. Returns whether that is new. */
  boolean lose(NodeId node, String why) {
    return lost.putIfAbsent(node, why) == null;
  }

  /** Sends a packet. If the value cannot be encoded, that is thrown. */
  void send(TaskMember receiver, PacketKind kind, long subject, @Nullable Object value) {
    link.send(receiver, kind.tag(subject), value);
  }
}
