package org.troupe.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.futures.FutureRuntime;

/**
 * A group that follows the nodes of a virtual node: one that joins gets a member, and the member of
 * one that leaves is dropped. May be shared between threads.
 *
 * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="live"}
 *
 * @param <T> the class of the members
 */
public final class LiveGroup<T> implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(LiveGroup.class.getName());

  private final Class<T> type;
  private final Options options;
  private final Object[] arguments;
  private final List<Listener<? super T>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Held while one change is made and reported to the listeners. */
  private final ReentrantLock changeLock = new ReentrantLock();

  /** Held while the fields below are read or written. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();
  private final List<NodeId> nodeIds = new ArrayList<>(); // of the members
  private final Set<NodeId> departed = new HashSet<>();
  private @Nullable Group<T> group; // null if there is no member

  private LiveGroup(Class<T> type, Options options, Object[] arguments) {
    this.type = type;
    this.options = options;
    this.arguments = arguments;
  }

  /**
   * Receives the changes of a group, one at a time.
   *
   * @param <T> the class of the members
   */
  public interface Listener<T> {

    /** A node has joined, and has a member now, of the highest rank. */
    default void joined(T member, Node node) {}

    /** A node has joined, but its member's constructor failed. */
    default void failed(Node node, Throwable cause) {}

    /** A node has gone with its member, whose rank the next one has now. */
    default void left(T member, int rank, Node node, String reason) {}
  }

  /** Makes such groups. Immutable; may be shared between threads. */
  public static final class Creation {

    private final Nodes nodes;
    private final Options options;

    Creation(Nodes nodes, Options options) {
      this.nodes = nodes;
      this.options = options;
    }

    /** Returns the same with other options for the members. */
    public Creation with(Options other) {
      return new Creation(nodes, other);
    }

    /**
     * Creates a member on each node that is present, waits for their constructors, and creates one
     * on each node that joins later.
     *
     * @param arguments copies reach each constructor
     * @throws GroupCallException if a constructor threw
     * @throws IllegalArgumentException if an argument is a scatter, as the number of members is
     *     unknown
     */
    public <T> LiveGroup<T> create(Class<T> type, Object... arguments) {
      for (var argument : arguments) {
        if (argument instanceof Scatter<?>) {
          throw new IllegalArgumentException(
              "a group that follows nodes has no fixed number of members, so nothing can be"
                  + " scattered over them; give all the same arguments, and send parts later");
        }
      }
      var following = new LiveGroup<>(type, options, arguments.clone());
      following.begin(nodes);
      return following;
    }
  }

  private void begin(Nodes nodes) {
    changeLock.lock();
    try {
      nodes.onLeave(this::nodeLeft); // before the list is read, so that no departure is missed
      var there = nodes.list();
      if (!there.isEmpty()) {
        var members = MemberCreation.create(type, arguments, there, options);
        for (var rank = 0; rank < there.size(); rank++) {
          add(there.get(rank), members.get(rank));
        }
      }
    } finally {
      changeLock.unlock();
    }
    nodes.onJoin(this::nodeJoined);
  }

  /** Returns the present members as one object. */
  public T all() {
    return now().all();
  }

  /**
   * Returns a snapshot of the members; the group returned does not change.
   *
   * @throws IllegalStateException if there is none; {@link #await} waits for one
   */
  public Group<T> now() {
    lock.lock();
    try {
      if (group == null) {
        throw new IllegalStateException(
            "no node is present, so there is no "
                + type.getSimpleName()
                + "; wait for one with await(1, ..)");
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the present number of members, which may be 0. */
  public int size() {
    lock.lock();
    try {
      return nodeIds.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is a number of members.
   *
   * @param atLeast the number, at least 1
   * @return the members at that moment
   * @throws TimeoutException if there are fewer members at the end of the time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public Group<T> await(int atLeast, Duration timeout)
      throws TimeoutException, InterruptedException {
    var left = FutureRuntime.nanos(timeout);
    lock.lock();
    try {
      while (nodeIds.size() < atLeast) {
        if (left <= 0) {
          throw new TimeoutException(
              nodeIds.size()
                  + " of "
                  + atLeast
                  + " members of "
                  + type.getSimpleName()
                  + " were there after "
                  + timeout);
        }
        left = changed.awaitNanos(left);
      }
      return now();
    } finally {
      lock.unlock();
    }
  }

  /** Reports all later changes to a listener. */
  public void onChange(Listener<? super T> listener) {
    listeners.add(listener);
  }

  /** Stops following the nodes; the members remain. */
  @Override
  public void close() {
    closed = true;
  }

  private void nodeJoined(Node node) {
    changeLock.lock();
    try {
      if (closed || isKnown(node)) {
        return;
      }
      T member;
      try {
        member = ActiveObjects.on(node).with(options).create(type, arguments);
      } catch (RuntimeException | Error cause) {
        LOG.log(
            System.Logger.Level.WARNING,
            "cannot create " + IndefiniteArticle.before(type.getName()) + " on " + node,
            cause);
        notifyListeners(listener -> listener.failed(node, cause));
        return;
      }
      if (add(node, member)) {
        notifyListeners(listener -> listener.joined(member, node));
      }
    } finally {
      changeLock.unlock();
    }
  }

  private boolean isKnown(Node node) {
    lock.lock();
    try {
      return nodeIds.contains(node.id()) || departed.contains(node.id());
    } finally {
      lock.unlock();
    }
  }

  private boolean add(Node node, T member) {
    lock.lock();
    try {
      if (departed.contains(node.id())) {
        return false;
      }
      var added = Member.of(type, member);
      group = group == null ? new Group<>(type, List.of(added)) : group.plus(member);
      nodeIds.add(node.id());
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void nodeLeft(Node node, String reason) {
    changeLock.lock();
    try {
      if (closed) {
        return;
      }
      int rank;
      T member;
      lock.lock();
      try {
        departed.add(node.id());
        rank = nodeIds.indexOf(node.id());
        if (rank < 0) {
          return;
        }
        var before = now();
        member = before.get(rank);
        nodeIds.remove(rank);
        group = nodeIds.isEmpty() ? null : before.select(each -> each != rank);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      notifyListeners(listener -> listener.left(member, rank, node, reason));
    } finally {
      changeLock.unlock();
    }
  }

  private void notifyListeners(Consumer<Listener<? super T>> news) {
    for (var listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException failure) {
        LOG.log(System.Logger.Level.WARNING, "a listener of a live group failed", failure);
      }
    }
  }
}
