package org.troupe.activeobjects.internal.coordination;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodesToken;
import org.troupe.futures.FutureRuntime;

/**
 * The nodes of one grid as users see them, in the order in which they joined, with the listeners
 * for changes. It lists members only: the coordinator decides on them, and the peers complete the
 * calls to a node that is lost.
 */
public final class LiveNodes {

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /**
   * How long a failed wait collects further failures: a cause that prevents one node from joining
   * often prevents others, and the error should list them together.
   */
  private static final long FOR_OTHERS_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The largest number of explanations in a message. */
  private static final int MOST_EXPLANATIONS = 20;

  /** Completes when the listener that the current thread runs no longer delays other listeners. */
  private static final ThreadLocal<CompletableFuture<Void>> LISTENING = new ThreadLocal<>();

  private final Membership membership;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Expected> expected = new LinkedHashMap<>(); // by name
  private final List<Missing> missing = new ArrayList<>();
  private final List<Node> leaving = new ArrayList<>(); // announced, and still connected
  private final Set<String> released = new HashSet<>(); // by name; their end is no failure
  private final List<Listener> listeners = new ArrayList<>();

  /** Completes when the listeners have been notified of every change so far. */
  private CompletableFuture<Void> notified = CompletableFuture.completedFuture(null);

  private @Nullable String closed; // the reason; null while the grid is open
  private GridMember.@Nullable Provider provider; // null unless this JVM has deployed the grid

  private record Expected(List<String> virtualNodes, Supplier<String> progress) {}

  private record Missing(String name, List<String> virtualNodes, String reason) {}

  /** A listener for changes. */
  private record Listener(
      String virtualNode,
      Consumer<Node> onJoin,
      BiConsumer<Node, String> onLeaving,
      BiConsumer<Node, String> onLeave) {

    boolean concerns(Node node) {
      return belongs(node.virtualNodes(), virtualNode);
    }
  }

  private static boolean belongs(List<String> virtualNodes, String virtualNode) {
    return virtualNode.isEmpty() || virtualNodes.contains(virtualNode);
  }

  public LiveNodes(Membership membership) {
    this.membership = membership;
  }

  public void add(Node node) {
    lock.lock();
    try {
      nodes.add(node);
      notifyListeners(each -> each.onJoin().accept(node), node);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void remove(NodeId id, String reason) {
    lock.lock();
    try {
      for (var node : Stream.concat(nodes.stream(), leaving.stream()).toList()) {
        if (node.id().equals(id)) {
          nodes.remove(node);
          leaving.remove(node);
          if (!released.contains(id.name())) {
            missing.add(new Missing(id.name(), node.virtualNodes(), reason));
          }
          notifyListeners(each -> each.onLeave().accept(node, reason), node);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Records that a node will leave, and is not available for new work. */
  public void leaving(NodeId id, String reason) {
    lock.lock();
    try {
      for (var node : List.copyOf(nodes)) {
        if (node.id().equals(id)) {
          nodes.remove(node);
          leaving.add(node);
          notifyListeners(each -> each.onLeaving().accept(node, reason), node);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a future that completes when all listeners have been notified of all changes so far.
   */
  CompletableFuture<Void> notified() {
    lock.lock();
    try {
      return notified.copy();
    } finally {
      lock.unlock();
    }
  }

  public void provide(GridMember.Provider itsProvider) {
    lock.lock();
    try {
      provider = itsProvider;
    } finally {
      lock.unlock();
    }
  }

  public void expect(String name, List<String> virtualNodes, Supplier<String> progress) {
    lock.lock();
    try {
      expected.put(name, new Expected(List.copyOf(virtualNodes), progress));
    } finally {
      lock.unlock();
    }
  }

  /** Records that an expected node will not join. */
  public void missing(String name, String reason) {
    lock.lock();
    try {
      if (!released.contains(name)
          && missing.stream().noneMatch(each -> each.name().equals(name))) {
        var known = expected.get(name);
        missing.add(new Missing(name, known == null ? List.of() : known.virtualNodes(), reason));
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  public void close(String reason) {
    lock.lock();
    try {
      closed = reason;
      nodes.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notifies the listeners, one after the other, and of each change after the previous one. */
  private void notifyListeners(Consumer<Listener> notification, Node node) {
    for (var listener : listeners) {
      if (listener.concerns(node)) {
        enqueue(() -> notification.accept(listener));
      }
    }
  }

  private void enqueue(Runnable notification) {
    notified = notified.thenCompose(before -> run(notification));
  }

  private static CompletableFuture<Void> run(Runnable notification) {
    var handled = new CompletableFuture<Void>();
    Thread.startVirtualThread(
        () -> {
          LISTENING.set(handled);
          try {
            notification.run();
          } catch (Throwable failure) { // a failing listener must not prevent later notifications
            LOG.log(Level.WARNING, "a listener of joining and leaving nodes failed", failure);
          } finally {
            handled.complete(null);
          }
        });
    return handled;
  }

  public View of(String virtualNode) {
    return new View(virtualNode);
  }

  public final class View implements Nodes, NodesToken {

    private final String virtualNode; // empty for all nodes

    private View(String virtualNode) {
      this.virtualNode = virtualNode;
    }

    /** Returns the grid that these nodes belong to. */
    @Override
    public Membership access() {
      return membership;
    }

    @Override
    public String virtualNode() {
      return virtualNode;
    }

    @Override
    public List<Node> list() {
      lock.lock();
      try {
        List<Node> mine = new ArrayList<>();
        for (var node : nodes) {
          if (belongs(node.virtualNodes(), virtualNode)) {
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
      if (index < 0) {
        throw new IllegalArgumentException(
            "there is no node at %d; the first one is at 0".formatted(index));
      }
      var now = list();
      if (index >= now.size()) {
        throw new IllegalStateException(
            "%s has %d %s now, so there is none at %d; %s"
                .formatted(
                    name(),
                    now.size(),
                    now.size() == 1 ? "node" : "nodes",
                    index,
                    ended()
                        .map(why -> why + ", so create what needs nodes before that")
                        .orElse(
                            "nodes.await(atLeast(%d), timeout) waits for it"
                                .formatted(index + 1))));
      }
      return now.get(index);
    }

    private Optional<String> ended() {
      lock.lock();
      try {
        return Optional.ofNullable(closed);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Iterator<Node> iterator() {
      return list().iterator();
    }

    @Override
    public Nodes await(Quorum quorum, Duration timeout)
        throws TimeoutException, InterruptedException {
      var left = FutureRuntime.nanos(timeout);
      var forOthers = FOR_OTHERS_NANOS;
      lock.lock();
      try {
        var needed =
            switch (quorum) {
              case Quorum.AtLeast(int count) -> count;
              case Quorum.All all -> allExpected();
            };
        while (list().size() < needed) {
          if (closed != null) {
            throw new NodesMissingException(describe(needed, ": " + closed));
          }
          if (expectedCount() > 0 && expectedCount() - missingHere().size() < needed) {
            if (expected.keySet().stream().noneMatch(this::isToComeHere)) {
              throw new NodesMissingException(
                  describe(needed, ", and no more can come" + remedy(needed)));
            }
            if (forOthers <= 0) {
              throw new NodesMissingException(
                  describe(needed, ", too few even if all others come" + remedy(needed))
                      + progress());
            }
            forOthers = changed.awaitNanos(forOthers);
            continue;
          }
          if (left <= 0) {
            throw new TimeoutException(
                describe(
                        needed,
                        " after %.1f s; ask for fewer, or wait longer"
                            .formatted(FutureRuntime.nanos(timeout) / 1e9))
                    + progress());
          }
          left = changed.awaitNanos(left);
        }
        return this;
      } finally {
        lock.unlock();
      }
    }

    /** Says what to do if fewer nodes were asked for; else the reasons of the lost ones say it. */
    private String remedy(int needed) {
      return needed <= expectedCount()
          ? ""
          : "; await fewer, or get more: by a descriptor with more JVMs, or by request(..)";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof View view
          && view.access() == membership
          && view.virtualNode.equals(virtualNode);
    }

    @Override
    public int hashCode() {
      return virtualNode.hashCode();
    }

    @Override
    public String toString() {
      return "the nodes of " + name();
    }

    private String name() {
      return virtualNode.isEmpty() ? "the grid" : "virtual node '" + virtualNode + "'";
    }

    private int expectedCount() {
      return (int)
          expected.values().stream()
              .filter(each -> belongs(each.virtualNodes(), virtualNode))
              .count();
    }

    private int allExpected() {
      if (expected.isEmpty() && provider == null) {
        throw new UnsupportedOperationException(
            "only the program that has deployed the grid knows how many nodes are all; wait for"
                + " atLeast(..) so many here");
      }
      return expectedCount();
    }

    private List<Missing> missingHere() {
      return missing.stream().filter(each -> belongs(each.virtualNodes(), virtualNode)).toList();
    }

    /** Lists the missing nodes; nodes that wait for the same thing share a line. */
    private String progress() {
      var waiting = new LinkedHashMap<String, List<String>>();
      expected.forEach(
          (name, node) -> {
            if (belongs(node.virtualNodes(), virtualNode) && isToCome(name)) {
              waiting.computeIfAbsent(node.progress().get(), same -> new ArrayList<>()).add(name);
            }
          });
      waiting.remove("");
      var text = new StringBuilder();
      appendNodes(waiting, text);
      return text.toString();
    }

    /** Adds a line for each explanation, up to a limit, with the number of its nodes. */
    private void appendNodes(Map<String, List<String>> byExplanation, StringBuilder text) {
      byExplanation.entrySet().stream()
          .limit(MOST_EXPLANATIONS)
          .forEach(
              each -> {
                var names = each.getValue();
                text.append("\n  - node '").append(names.getFirst()).append("'");
                if (names.size() > 1) {
                  text.append(" and ").append(names.size() - 1).append(" more");
                }
                text.append(": ").append(each.getKey());
              });
      var rest = byExplanation.values().stream().skip(MOST_EXPLANATIONS).mapToInt(List::size).sum();
      if (rest > 0) {
        text.append("\n  ... and ").append(rest).append(" more; 'troupe status --all' lists them");
      }
    }

    private boolean isToCome(String name) {
      return nodes.stream().noneMatch(node -> node.name().equals(name))
          && missing.stream().noneMatch(each -> each.name().equals(name));
    }

    private String describe(int needed, String consequence) {
      var text =
          new StringBuilder(
              "only %d of the %s needed of %s %s there%s"
                      .formatted(
                          list().size(),
                          needed == 1 ? "1 node" : needed + " nodes",
                          name(),
                          list().size() == 1 ? "is" : "are",
                          counts())
                  + consequence);
      var reasons = new LinkedHashMap<String, List<String>>();
      for (var each : missingHere()) {
        reasons.computeIfAbsent(each.reason(), same -> new ArrayList<>()).add(each.name());
      }
      appendNodes(reasons, text);
      return text.toString();
    }

    /** Counts the requested nodes: all of them, the lost ones, and those still to come. */
    private String counts() {
      var asked = expectedCount();
      if (asked == 0) {
        return "";
      }
      var gone = missingHere().size();
      var toCome = (int) expected.keySet().stream().filter(this::isToComeHere).count();
      return " (%d asked for%s%s)"
          .formatted(
              asked,
              gone == 0 ? "" : ", " + gone + " lost",
              toCome == 0 ? "" : ", " + toCome + " still to come");
    }

    private boolean isToComeHere(String name) {
      var node = expected.get(name);
      return node != null && belongs(node.virtualNodes(), virtualNode) && isToCome(name);
    }

    @Override
    public void onJoin(Consumer<Node> listener) {
      listen(new Listener(virtualNode, listener, (node, reason) -> {}, (node, reason) -> {}));
    }

    @Override
    public void onLeave(BiConsumer<Node, String> listener) {
      listen(new Listener(virtualNode, node -> {}, (node, reason) -> {}, listener));
    }

    @Override
    public void onLeaving(BiConsumer<Node, String> listener) {
      listen(new Listener(virtualNode, node -> {}, listener, (node, reason) -> {}));
    }

    @Override
    public void request(int more) {
      if (more < 1) {
        throw new IllegalArgumentException("request(" + more + ") asks for nothing; give 1");
      }
      provider().request(virtualNode, more);
    }

    @Override
    public CompletableFuture<Void> release(Node node) {
      lock.lock();
      try {
        if (!list().contains(node)) {
          throw new IllegalArgumentException(
              node + " is not one of the nodes of " + name() + " now, so it cannot be released");
        }
        provider(); // throws the exception
        released.add(node.name());
        expected.remove(node.name());
      } finally {
        lock.unlock();
      }
      releaseOtherListeners();
      return provider().release(node);
    }

    /**
     * Lets the other listeners continue. A listener may wait for the end of a node that it
     * releases; the listeners are notified of that end first, so from here on this listener does
     * not delay them.
     */
    private static void releaseOtherListeners() {
      var handled = LISTENING.get();
      if (handled != null) {
        handled.complete(null);
      }
    }

    private GridMember.Provider provider() {
      lock.lock();
      try {
        if (provider == null) {
          throw new UnsupportedOperationException(
              "only the program that has deployed the grid can request and release nodes");
        }
        return provider;
      } finally {
        lock.unlock();
      }
    }

    private void listen(Listener listener) {
      lock.lock();
      try {
        listeners.add(listener);
        for (var node : nodes) {
          if (listener.concerns(node)) {
            enqueue(() -> listener.onJoin().accept(node));
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
