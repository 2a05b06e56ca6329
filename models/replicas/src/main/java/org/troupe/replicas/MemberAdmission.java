package org.troupe.replicas;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.ObjectTerminatedException;

/**
 * Adds members to a replicated object, one on each node that it is given. May be shared between
 * threads, which wait for one another: {@link WriteOrder} relies on one newcomer at a time, and on
 * newcomers that ask all members before them.
 */
final class MemberAdmission {

  private static final System.Logger LOG = System.getLogger(MemberAdmission.class.getName());

  private final String type;
  private final ReplicaMember identity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Node> nodes = new HashSet<>(); // with a member, or that were tried
  private final Map<Node, ReplicaMember> members =
      new ConcurrentHashMap<>(); // also those that have ended

  /** This object for the listeners of the nodes, which are never removed; null when it is over. */
  private final AtomicReference<@Nullable MemberAdmission> followed = new AtomicReference<>(this);

  /** Makes the first member, on a node. */
  MemberAdmission(Node node, Object object) {
    type = object.getClass().getName();
    identity = ActiveObjects.on(node).create(ReplicaHost.class);
    identity.begin(object);
    nodes.add(node);
    members.put(node, identity);
  }

  /** Returns the first member, by whose address the object is known. */
  ReplicaMember identity() {
    return identity;
  }

  /** Adds a member on each node that joins a set. */
  void follow(Nodes live) {
    listen(live, followed);
  }

  private static void listen(Nodes live, AtomicReference<@Nullable MemberAdmission> followed) {
    // It gets the present nodes, too.
    live.onJoin(node -> ifOpen(followed, admission -> admission.admitLater(node)));
  }

  private static void ifOpen(
      AtomicReference<@Nullable MemberAdmission> followed, Consumer<MemberAdmission> action) {
    var admission = followed.get();
    if (admission != null) {
      action.accept(admission);
    }
  }

  /**
   * Adds a member on a node that has none yet; waits until it has a replica, or is lost.
   *
   * @throws RuntimeException if the node cannot have a replica, as its class is unknown there
   */
  void admit(Node node) {
    lock.lock();
    try {
      if (followed.get() != null && nodes.add(node)) {
        answer(() -> join(node)).ifPresent(how -> joined(node, how));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds a member on a node that has joined, without a wait. */
  private void admitLater(Node node) {
    Thread.startVirtualThread(
        () -> {
          try {
            admit(node);
          } catch (RuntimeException e) {
            LOG.log(
                System.Logger.Level.WARNING,
                "node '" + node.name() + "' got no replica of " + type + ": " + e.getMessage(),
                e);
          }
        });
  }

  private CompletableFuture<ReplicaMember.Joined> join(Node node) {
    var newcomer = ActiveObjects.on(node).create(ReplicaHost.class);
    var others = members.values().stream().filter(member -> !end(member).isDone()).toList();
    var joined = newcomer.join(others);
    members.put(node, newcomer);
    return joined;
  }

  private void joined(Node node, ReplicaMember.Joined how) {
    switch (how) {
      case WITH_REPLICA -> members.values().removeIf(member -> end(member).isDone());
      case TOO_LATE -> followed.set(null);
      case WITHOUT_OTHERS -> {
        followed.set(null);
        if (!mayBeClosed()) {
          LOG.log(
              System.Logger.Level.WARNING,
              "node ''{0}'' got no replica of {1}: all replicas are lost or have failed, and its"
                  + " state with them; create it anew",
              node.name(),
              type);
        }
      }
    }
  }

  private static CompletableFuture<End> end(ReplicaMember member) {
    return ActiveObjects.ref(member).end();
  }

  /**
   * Returns whether the object may have ended by being closed. Its first member then stays, unless
   * its node is lost, so it terminates only if it fails. Others terminate in both cases.
   */
  private boolean mayBeClosed() {
    return !hasTerminated(identity)
        && members.values().stream().anyMatch(MemberAdmission::hasTerminated);
  }

  private static boolean hasTerminated(ReplicaMember member) {
    var end = end(member);
    return end.isDone() && end.join().how() == End.How.TERMINATED;
  }

  /** Closes the object; waits until it is closed on all nodes, or lost. */
  void close() {
    followed.set(null);
    lock.lock();
    try {
      for (var member : members.values()) {
        if (!end(member).isDone() && answer(member::close).orElse(false)) {
          break;
        }
      }
      members.clear();
      nodes.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the answer of a member; returns nothing if the member has ended before. */
  static <V> Optional<V> answer(Supplier<CompletableFuture<V>> call) {
    try {
      return Optional.of(call.get().join());
    } catch (NodeLostException | ObjectTerminatedException e) {
      return Optional.empty();
    } catch (CompletionException e) {
      if (e.getCause() instanceof NodeLostException
          || e.getCause() instanceof ObjectTerminatedException) {
        return Optional.empty();
      }
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
