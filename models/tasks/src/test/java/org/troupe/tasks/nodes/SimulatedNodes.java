package org.troupe.tasks.nodes;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.EngineSettings;

/**
 * Task nodes within this JVM, over a network that delivers packets of different senders in an order
 * that a seed decides. Packets from one node to another arrive in the order sent. Number 0 is the
 * program's node.
 */
final class SimulatedNodes implements AutoCloseable {

  private static final int STACK = 4 << 20;

  private final Settings settings;
  private final Random random; // guarded by this
  private final List<TaskNode> nodes = new CopyOnWriteArrayList<>();
  private final List<TaskMember> members = new CopyOnWriteArrayList<>();
  private final Map<Way, Traffic> traffic = new HashMap<>(); // guarded by this
  private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
  private final Observer observer;
  private boolean closed; // guarded by this

  /** Sees packets as they are sent, and just before they are delivered. */
  interface Observer {
    default void sent(TaskMember from, TaskMember to, PacketKind kind) {}

    default void delivered(TaskMember from, TaskMember to, PacketKind kind) {}
  }

  private record Way(int from, int to) {}

  private record Sent(long tag, @Nullable Object value) {}

  private static final class Traffic {
    final LinkedBlockingDeque<Sent> packets = new LinkedBlockingDeque<>();
    boolean isBusy;
  }

  /** A packet whose value was copied when it was sent. */
  private record Copied(@Nullable Object value) implements BodyExtension.Packet {}

  SimulatedNodes(Settings settings, long seed, Observer observer) {
    this.settings = settings;
    this.random = new Random(seed);
    this.observer = observer;
    for (int i = 0; i < 2; i++) {
      Thread.ofPlatform().daemon().name("network-" + i).start(this::deliver);
    }
  }

  static Settings settings(Strategy strategy, boolean keepsOrphans) {
    return new Settings(1, STACK, strategy, 20, keepsOrphans, Duration.ofSeconds(5));
  }

  /**
   * Starts a node, of which the others learn one after the other.
   *
   * @param workers the number of its workers; only the program's node may have none
   */
  int start(String cluster, int workers) {
    int number = nodes.size();
    var node =
        new TaskNode(
            new BodyExtension.Key(1, 1),
            number,
            settings,
            Engine.start("simulated-" + number, new EngineSettings(workers, STACK), null),
            (receiver, tag, value) -> send(number, receiver.number(), tag, value));
    nodes.add(node);
    var member =
        new TaskMember(number, new NodeId("node-" + number, number), cluster, new TaskHost());
    members.add(member);
    for (var other : members) {
      if (!isLost(other.number())) {
        node.joined(other);
        if (other != member) {
          nodes.get(other.number()).joined(member);
        }
      }
    }
    return number;
  }

  TaskNode get(int number) {
    return nodes.get(number);
  }

  private boolean isLost(int number) {
    return lost.contains(number);
  }

  /** Ends a node as if its process had been killed; some of its last packets arrive. */
  void kill(int number) {
    lost.add(number);
    synchronized (this) {
      traffic.forEach(
          (way, its) -> {
            if (way.to == number) {
              its.packets.clear();
            } else if (way.from == number) {
              for (int left = random.nextInt(4); its.packets.size() > left; ) {
                its.packets.pollLast();
              }
            }
          });
    }
    nodes.get(number).close();
    for (var node : nodes) {
      node.lost(members.get(number).node(), "node-" + number + " was killed");
    }
  }

  private void send(int from, int to, long tag, @Nullable Object value) {
    var copy = value == null ? null : Collectives.current().copyOf(value);
    synchronized (this) {
      if (!isLost(from) && !isLost(to)) {
        observer.sent(members.get(from), members.get(to), kind(tag));
        traffic
            .computeIfAbsent(new Way(from, to), way -> new Traffic())
            .packets
            .add(new Sent(tag, copy));
        notifyAll();
      }
    }
  }

  private static PacketKind kind(long tag) {
    return Objects.requireNonNull(PacketKind.of(tag));
  }

  private void deliver() {
    try {
      while (true) {
        Way way;
        Sent packet;
        synchronized (this) {
          way = next();
          if (way == null) {
            return;
          }
          packet = traffic.get(way).packets.poll();
          observer.delivered(members.get(way.from), members.get(way.to), kind(packet.tag));
        }
        try {
          nodes.get(way.to).received(way.from, packet.tag, new Copied(packet.value));
        } finally {
          synchronized (this) {
            traffic.get(way).isBusy = false;
            notifyAll();
          }
        }
      }
    } catch (InterruptedException e) {
      // The nodes are closed.
    }
  }

  /** Returns a way on which a packet is to be delivered; {@code null} at the end. */
  private @Nullable Way next() throws InterruptedException {
    while (!closed) {
      var ready =
          traffic.entrySet().stream()
              .filter(each -> !each.getValue().isBusy && !each.getValue().packets.isEmpty())
              .map(Map.Entry::getKey)
              .toList();
      if (!ready.isEmpty()) {
        var way = ready.get(random.nextInt(ready.size()));
        traffic.get(way).isBusy = true;
        return way;
      }
      wait();
    }
    return null;
  }

  @Override
  public void close() {
    for (var node : nodes) {
      node.close();
    }
    synchronized (this) {
      closed = true;
      notifyAll();
    }
  }
}
