package org.troupe.activeobjects.internal.copies;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;

/**
 * Nodes with copies of journals, whose messages, news and timers come when a test says so. Threads
 * that block are waited for until they do, so one thread decides on everything.
 */
final class SimulatedCopies {

  private static final long SECONDS = 20;
  private static final Set<State> PARKED = EnumSet.of(State.WAITING, State.TIMED_WAITING);

  /** A change of the members, which each node learns in its turn. */
  private record Change(SimulatedNode node, boolean isJoin, boolean isLeaving) {}

  private record Message(Runnable arrival) {}

  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final Map<List<Integer>, Deque<Message>> links = new LinkedHashMap<>();
  private final Set<List<Integer>> held = new HashSet<>();
  private final Collection<Thread> workers = new ConcurrentLinkedQueue<>();

  SimulatedCopies(int count) {
    for (var i = 0; i < count; i++) {
      join();
    }
    nodes.forEach(each -> learnAll(each.number));
  }

  /** A node. */
  final class SimulatedNode implements CopyNetwork {
    final int number;
    final NodeId id;
    final JournalCopies table = new JournalCopies(this);
    final CopiedJournals journals = new CopiedJournals(table);
    final Deque<Runnable> timers = new ArrayDeque<>();
    boolean lives = true;
    boolean isLeaving;
    private int learned; // changes
    private final TreeMap<Long, CompletableFuture<Void>> expected =
        new TreeMap<>(); // by the numbers of changes
    private final Set<NodeId> members = new HashSet<>();
    private final Set<NodeId> leaving = new HashSet<>();
    private final Set<NodeId> gone = new HashSet<>();
    private final Map<CompletableFuture<?>, NodeId> asked = new LinkedHashMap<>();

    SimulatedNode(int number) {
      this.number = number;
      this.id = new NodeId("n" + number, 100 - number);
    }

    @Override
    public NodeId self() {
      return id;
    }

    @Override
    public boolean isOpen() {
      return lives;
    }

    @Override
    public boolean isCandidate(NodeId node) {
      return members.contains(node) && !leaving.contains(node);
    }

    @Override
    public List<Candidate> candidates() {
      return members.stream()
          .filter(this::isCandidate)
          .map(each -> new Candidate(each, false))
          .toList();
    }

    @Override
    public boolean awaitCandidate() {
      return !candidates().isEmpty();
    }

    @Override
    public List<NodeId> members() {
      return List.copyOf(members);
    }

    @Override
    public boolean isGone(NodeId node) {
      return gone.contains(node);
    }

    private <T> CompletableFuture<T> ask(NodeId to, Supplier<T> atReceiver) {
      return askLater(to, () -> CompletableFuture.completedFuture(atReceiver.get()));
    }

    /** Asks a node that may answer later. */
    private <T> CompletableFuture<T> askLater(
        NodeId to, Supplier<CompletableFuture<T>> atReceiver) {
      var answer = new CompletableFuture<T>();
      synchronized (SimulatedCopies.this) {
        if (!lives || gone.contains(to) || !members.contains(to)) {
          answer.completeExceptionally(new NodeLostException(to + " is gone"));
          return answer;
        }
        asked.put(answer, to);
        var receiver = node(to);
        send(
            this,
            receiver,
            () ->
                atReceiver
                    .get()
                    .thenAccept(
                        result -> {
                          if (receiver.lives) { // its wait may have ended with it
                            send(receiver, this, () -> answered(answer, result));
                          }
                        }));
      }
      return answer;
    }

    private <T> void answered(CompletableFuture<T> answer, T result) {
      synchronized (SimulatedCopies.this) {
        asked.remove(answer);
      }
      answer.complete(result);
    }

    @Override
    public CompletableFuture<Long> update(NodeId node, CopyUpdate update) {
      return askLater(
          node,
          () ->
              update.isWhole()
                  ? node(node).table.takeWhole(id, update)
                  : CompletableFuture.completedFuture(node(node).table.take(id, update)));
    }

    @Override
    public long updateNow(NodeId node, CopyUpdate update) {
      return update(node, update).join();
    }

    @Override
    public CompletableFuture<Long> lastChange() {
      synchronized (SimulatedCopies.this) {
        return CompletableFuture.completedFuture((long) changes.size());
      }
    }

    @Override
    public void awaitChange(long number) {
      changed(number).join();
    }

    /** Returns a future that completes when this node has learned changes up to a number. */
    private CompletableFuture<Void> changed(long number) {
      synchronized (SimulatedCopies.this) {
        if (!lives) {
          return CompletableFuture.failedFuture(new NodeLostException("this node is gone"));
        }
        return learned >= number
            ? CompletableFuture.completedFuture(null)
            : expected.computeIfAbsent(number, each -> new CompletableFuture<>());
      }
    }

    @Override
    public CompletableFuture<Map<String, CopyHead>> heads(
        NodeId node, Collection<String> journals, long change) {
      var receiver = node(node);
      return askLater(
          node, () -> receiver.changed(change).thenApply(known -> receiver.table.heads(journals)));
    }

    @Override
    public CompletableFuture<Optional<CopyUpdate>> claim(NodeId node, String journal, long epoch) {
      return askLater(node, () -> node(node).table.claim(id, journal, epoch));
    }

    @Override
    public CompletableFuture<Void> drop(
        NodeId node, String journal, long birth, long epoch, NodeId owner) {
      return askLater(
              node,
              () -> node(node).table.drop(journal, birth, epoch, owner).thenApply(gone -> true))
          .thenAccept(dropped -> {});
    }

    @Override
    public CompletableFuture<List<String>> names(NodeId node) {
      return ask(node, () -> node(node).table.names());
    }

    @Override
    public void execute(Runnable action) {
      start(action);
    }

    @Override
    public void schedule(Runnable action, Duration after) {
      synchronized (SimulatedCopies.this) {
        timers.add(action);
      }
    }

    /** Learns the next change of the members. */
    private void learn() {
      List<CompletableFuture<?>> lost = new ArrayList<>();
      List<CompletableFuture<Void>> due;
      boolean isOwn;
      synchronized (SimulatedCopies.this) {
        var change = changes.get(learned++);
        var its = change.node.id;
        var known = expected.headMap((long) learned, true);
        due = List.copyOf(known.values());
        known.clear();
        isOwn = its.equals(id);
        if (change.isJoin) {
          members.add(its);
        } else if (change.isLeaving) {
          leaving.add(its);
        } else {
          members.remove(its);
          gone.add(its);
          links.remove(List.of(change.node.number, number));
          asked.forEach(
              (answer, from) -> {
                if (from.equals(its)) {
                  lost.add(answer);
                }
              });
          lost.forEach(asked::remove);
        }
      }
      lost.forEach(each -> each.completeExceptionally(new NodeLostException("it is gone")));
      due.forEach(each -> each.complete(null));
      if (!isOwn) {
        table.membersChanged();
      }
    }

    boolean hasNews() {
      return learned < changes.size();
    }

    @Override
    public String toString() {
      return id.name();
    }
  }

  SimulatedNode node(int number) {
    return nodes.get(number);
  }

  private SimulatedNode node(NodeId id) {
    return nodes.stream().filter(each -> each.id.equals(id)).findFirst().orElseThrow();
  }

  int size() {
    return nodes.size();
  }

  List<SimulatedNode> living() {
    return nodes.stream().filter(each -> each.lives).toList();
  }

  private void send(SimulatedNode from, SimulatedNode to, Runnable arrival) {
    synchronized (this) {
      links
          .computeIfAbsent(List.of(from.number, to.number), each -> new ArrayDeque<>())
          .add(
              new Message(
                  () -> {
                    if (to.lives && !to.gone.contains(from.id)) {
                      arrival.run();
                    }
                  }));
    }
  }

  // What a test decides

  /** Adds a node, of which the others learn later. */
  SimulatedNode join() {
    synchronized (this) {
      var node = new SimulatedNode(nodes.size());
      nodes.add(node);
      for (var each : nodes) {
        if (each != node && each.lives) {
          node.members.add(each.id);
          if (each.isLeaving) {
            node.leaving.add(each.id);
          }
        }
      }
      changes.add(new Change(node, true, false));
      node.learned = changes.size();
      return node;
    }
  }

  /** Ends a node, of which the others learn later. */
  void kill(int number) {
    List<CompletableFuture<?>> asked;
    synchronized (this) {
      node(number).lives = false;
      changes.add(new Change(node(number), false, false));
      asked = new ArrayList<>(node(number).asked.keySet());
      asked.addAll(node(number).expected.values());
      node(number).asked.clear();
      node(number).expected.clear();
    }
    asked.forEach(each -> each.completeExceptionally(new NodeLostException("this node is gone")));
    await();
  }

  /** Announces that a node is about to leave, of which the others learn later. */
  void leaving(int number) {
    synchronized (this) {
      node(number).isLeaving = true;
      changes.add(new Change(node(number), false, true));
    }
  }

  /** Lets no message from one node to another arrive until {@link #release}. */
  void hold(int from, int to) {
    held.add(List.of(from, to));
  }

  void release() {
    held.clear();
  }

  /** Lets a node learn of the next change of the members; returns whether there was one. */
  boolean learn(int number) {
    var node = node(number);
    if (!node.lives || !node.hasNews()) {
      return false;
    }
    node.learn();
    await();
    return true;
  }

  void learnAll(int number) {
    while (learn(number)) {}
  }

  /** Lets the next timer of a node expire; returns whether there was one. */
  boolean expire(int number) {
    Runnable timer;
    synchronized (this) {
      timer = node(number).timers.poll();
    }
    if (timer == null || !node(number).lives) {
      return false;
    }
    start(timer);
    await();
    return true;
  }

  /** Returns the links on which messages may arrive. */
  List<List<Integer>> busyLinks() {
    synchronized (this) {
      return links.entrySet().stream()
          .filter(each -> !each.getValue().isEmpty() && !held.contains(each.getKey()))
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  /** Lets the next message of a link arrive. */
  void deliver(List<Integer> link) {
    @Nullable Message next;
    synchronized (this) {
      next = links.getOrDefault(link, new ArrayDeque<>()).poll();
    }
    if (next != null) {
      next.arrival.run();
    }
    await();
  }

  /** Lets all messages arrive, and all nodes learn of all changes. */
  void settle() {
    for (var isBusy = true; isBusy; ) {
      isBusy = false;
      for (var each : busyLinks()) {
        deliver(each);
        isBusy = true;
      }
      for (var each : living()) {
        isBusy |= learn(each.number);
      }
      isBusy |= isAnyAboutToGoOn() || !busyLinks().isEmpty();
    }
  }

  /** Returns whether a thread has what it has waited for, or ends. */
  private synchronized boolean isAnyAboutToGoOn() {
    LockSupport.parkNanos(1_000);
    return workers.stream().anyMatch(Thread::isAlive)
        && living().stream().allMatch(each -> each.asked.isEmpty());
  }

  /** Starts an action that may block, and returns when it does, or has ended. */
  <T> CompletableFuture<T> begin(Callable<T> action) {
    var done = new CompletableFuture<T>();
    start(
        () -> {
          try {
            done.complete(action.call());
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    await();
    return done;
  }

  private void start(Runnable action) {
    workers.add(Thread.ofPlatform().daemon().start(action));
  }

  /** Waits until all threads have ended, or wait for a message. */
  void await() {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (var each : workers) {
      while (each.isAlive() && !PARKED.contains(each.getState())) {
        if (System.nanoTime() > end) {
          throw new AssertionError(each + " neither waits nor ends");
        }
        LockSupport.parkNanos(1_000);
      }
    }
    workers.removeIf(each -> !each.isAlive());
  }
}
