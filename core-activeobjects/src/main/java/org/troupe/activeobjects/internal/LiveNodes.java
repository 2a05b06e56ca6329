package org.troupe.activeobjects.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;

/** The nodes of one grid, in the order in which they joined, and who wants to hear of changes. */
final class LiveNodes {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<MemberNode> nodes = new ArrayList<>();
  private final Map<String, Integer> expected = new HashMap<>();
  private final Map<String, List<String>> missing = new HashMap<>(); // reasons, by virtual node
  private final List<Listener> listeners = new ArrayList<>();
  private String closed; // the reason, or null

  private record Listener(
      String virtualNode, Consumer<Node> onJoin, BiConsumer<Node, String> onLeave) {

    boolean hearsOf(Node node) {
      return virtualNode.isEmpty() || virtualNode.equals(node.virtualNode());
    }
  }

  void add(MemberNode node) {
    lock.lock();
    try {
      nodes.add(node);
      tell(each -> each.onJoin().accept(node), node);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void remove(NodeId id, String reason) {
    lock.lock();
    try {
      for (var node : List.copyOf(nodes)) {
        if (node.id().equals(id)) {
          nodes.remove(node);
          missing
              .computeIfAbsent(node.virtualNode(), name -> new ArrayList<>())
              .add("node '" + id + "': " + reason);
          tell(each -> each.onLeave().accept(node, reason), node);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void expect(String virtualNode, int count) {
    lock.lock();
    try {
      expected.merge(virtualNode, count, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  void expectOneLess(String virtualNode, String reason) {
    lock.lock();
    try {
      missing.computeIfAbsent(virtualNode, name -> new ArrayList<>()).add(reason);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close(String reason) {
    lock.lock();
    try {
      closed = reason;
      nodes.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Runs the listeners on virtual threads, since they are the user's. */
  private void tell(Consumer<Listener> news, Node node) {
    for (var listener : listeners) {
      if (listener.hearsOf(node)) {
        Thread.startVirtualThread(() -> news.accept(listener));
      }
    }
  }

  Nodes of(String virtualNode) {
    return new View(virtualNode);
  }

  private final class View implements Nodes {

    private final String virtualNode; // empty: all

    View(String virtualNode) {
      this.virtualNode = virtualNode;
    }

    @Override
    public List<Node> list() {
      lock.lock();
      try {
        List<Node> mine = new ArrayList<>();
        for (var node : nodes) {
          if (virtualNode.isEmpty() || virtualNode.equals(node.virtualNode())) {
            mine.add(node);
          }
        }
        return List.copyOf(mine);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Node get(int index) {
      var now = list();
      if (index < 0 || index >= now.size()) {
        throw new IllegalStateException(
            name()
                + " has "
                + now.size()
                + " nodes now, so there is none at "
                + index
                + "; nodes.await(atLeast("
                + (index + 1)
                + "), timeout) waits for it");
      }
      return now.get(index);
    }

    @Override
    public Iterator<Node> iterator() {
      return list().iterator();
    }

    @Override
    public Nodes await(Quorum quorum, Duration timeout)
        throws TimeoutException, InterruptedException {
      var left = timeout.toNanos();
      lock.lock();
      try {
        var needed =
            switch (quorum) {
              case Quorum.AtLeast(int count) -> count;
              case Quorum.All all -> expectedCount();
            };
        while (list().size() < needed) {
          if (closed != null) {
            throw new IllegalStateException(describe(needed) + ": " + closed);
          }
          if (expectedCount() > 0 && expectedCount() - reasons().size() < needed) {
            throw new IllegalStateException(describe(needed) + ": they can no longer come");
          }
          if (left <= 0) {
            throw new TimeoutException(
                describe(needed)
                    + " within "
                    + TimeUnit.NANOSECONDS.toSeconds(timeout.toNanos())
                    + " s; ask for fewer, or wait longer");
          }
          left = changed.awaitNanos(left);
        }
        return this;
      } finally {
        lock.unlock();
      }
    }

    private String name() {
      return virtualNode.isEmpty() ? "the grid" : "virtual node '" + virtualNode + "'";
    }

    private int expectedCount() {
      return virtualNode.isEmpty()
          ? expected.values().stream().mapToInt(Integer::intValue).sum()
          : expected.getOrDefault(virtualNode, 0);
    }

    private List<String> reasons() {
      return virtualNode.isEmpty()
          ? missing.values().stream().flatMap(List::stream).toList()
          : missing.getOrDefault(virtualNode, List.of());
    }

    private String describe(int needed) {
      var text =
          new StringBuilder(
              "only %d of the %d nodes needed of %s are there (%d were asked for)"
                  .formatted(list().size(), needed, name(), expectedCount()));
      reasons().forEach(reason -> text.append("\n  - ").append(reason));
      return text.toString();
    }

    @Override
    public void onJoin(Consumer<Node> listener) {
      listen(new Listener(virtualNode, listener, (node, reason) -> {}));
    }

    @Override
    public void onLeave(BiConsumer<Node, String> listener) {
      listen(new Listener(virtualNode, node -> {}, listener));
    }

    private void listen(Listener listener) {
      lock.lock();
      try {
        listeners.add(listener);
        for (var node : nodes) {
          if (listener.hearsOf(node)) {
            Thread.startVirtualThread(() -> listener.onJoin().accept(node));
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
