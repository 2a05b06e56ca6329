package org.troupe.replicas;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
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
  private final List<ReplicaMember> members = new ArrayList<>(); // also those that are lost

  /** Makes the first member, on a node. */
  MemberAdmission(Node node, Object object) {
    type = object.getClass().getName();
    identity = ActiveObjects.on(node).create(ReplicaHost.class);
    identity.begin(object);
    nodes.add(node);
    members.add(identity);
  }

  /** Returns the first member, by whose address the object is known. */
  ReplicaMember identity() {
    return identity;
  }

  /**
   * Adds a member on a node that has none yet; waits until it has a replica, or is lost.
   *
   * @throws RuntimeException if the node cannot have a replica, as its class is unknown there
   */
  void admit(Node node) {
    lock.lock();
    try {
      if (nodes.add(node) && !hasJoined(node)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "node ''{0}'' got no replica of {1}: all nodes that had one are lost, and its state"
                + " with them; create it anew",
            node.name(),
            type);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds a member on a node that has joined, without a wait. */
  void admitLater(Node node) {
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

  private boolean hasJoined(Node node) {
    try {
      ReplicaMember newcomer = ActiveObjects.on(node).create(ReplicaHost.class);
      members.removeIf(member -> ActiveObjects.ref(member).end().isDone());
      var joined = newcomer.join(List.copyOf(members));
      members.add(newcomer);
      return joined.join();
    } catch (NodeLostException | ObjectTerminatedException e) {
      return true; // the node needs none any more
    } catch (CompletionException e) {
      if (e.getCause() instanceof NodeLostException
          || e.getCause() instanceof ObjectTerminatedException) {
        return true;
      }
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
