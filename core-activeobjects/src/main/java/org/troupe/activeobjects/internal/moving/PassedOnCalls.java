package org.troupe.activeobjects.internal.moving;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.GridBoundary;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.Routed;

/**
 * The one-way calls that this node has passed on to others, and that are not known to have been
 * served. Thread-safe.
 */
final class PassedOnCalls {

  /*
   * Design: a one-way call is in one account at a time
   *
   * The node of the caller counts a one-way call that it sends, and the receiver tells in each frame how many it has
   * served. If the object has left the receiver, the call stays in that account while the receiver has it: in its queue,
   * in a route that waits, or in a later stay of the object there. When it is sent to another node, it is counted here, by
   * that host and the node of the caller, and then counts as served for the node that had sent it. The host tells
   * by a message of its own when it has served the call, or has passed it on in its turn. So each node accounts for the
   * calls on its links only, and a caller is held no longer than a node on the way needs to send or serve its calls.
   *
   * When a host is lost, the nodes of the callers learn how many of their calls are unknown. A call with a name is in no
   * account, since its caller keeps it. Neither is one that comes to the node of its caller, which is lost with the caller. The loss
   * of a node that has passed a call on ends that account: if the next host is lost as well, or has not taken the call
   * before it applied the first loss, the call is lost without a report.
   */

  private final MovedObjects objects;
  private final NodeObjects node;
  private final Map<NodeId, Map<NodeId, Integer>> unserved = new HashMap<>(); // guarded by this

  PassedOnCalls(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  /** Returns whether the sender of a one-way call without a name counts it here. */
  private static boolean areCounted(NodeId host, List<NodeId> hops, NodeId origin) {
    return !hops.isEmpty() && !origin.equals(host);
  }

  /** Returns the account of a message that has arrived from another node. */
  OneWayAccount account(Peer sender, Message.Routed message, long callId) {
    var origin = message.origin();
    if (callId != 0 || !(message.content() instanceof Message.Call)) {
      return OneWayAccount.NONE;
    }
    if (message.hops().isEmpty()) {
      return sender.incoming().account();
    }
    return areCounted(node.id(), message.hops(), origin)
        ? () -> sender.send(new Message.PassedOnServed(origin))
        : OneWayAccount.NONE;
  }

  /**
   * Counts a message that is about to be sent if it is a one-way call that is passed on; returns
   * whether it is.
   */
  boolean add(NodeId host, Routed<Parcel> message, Parcel parcel) {
    var isCounted =
        parcel.content() instanceof Message.Call
            && parcel.callId() == 0
            && parcel.name() == null
            && areCounted(host, message.hops(), parcel.origin())
            && !objects.isOver();
    if (isCounted) {
      synchronized (this) {
        unserved
            .computeIfAbsent(host, each -> new HashMap<>())
            .merge(parcel.origin(), 1, Integer::sum);
      }
    }
    return isCounted;
  }

  /** Handles the news that a host has served a call of a node, or has passed it on. */
  void served(NodeId host, NodeId origin) {
    remove(host, origin);
  }

  /** Handles a call that was counted and not sent, because its host is lost. */
  void notSent(NodeId host, NodeId origin) {
    if (remove(host, origin)) { // else the loss was reported meanwhile
      report(host, origin, 1);
    }
  }

  private synchronized boolean remove(NodeId host, NodeId origin) {
    var its = unserved.get(host);
    if (its == null || !its.containsKey(origin)) {
      return false;
    }
    its.computeIfPresent(origin, (each, count) -> count == 1 ? null : count - 1);
    if (its.isEmpty()) {
      unserved.remove(host);
    }
    return true;
  }

  /**
   * Reports the calls that are unknown because a host is lost, to which nothing is sent any more.
   */
  void lost(NodeId host) {
    Map<NodeId, Integer> its;
    synchronized (this) {
      its = unserved.remove(host);
    }
    if (its != null) {
      its.forEach((origin, count) -> report(host, origin, count));
    }
  }

  private void report(NodeId host, NodeId origin, int count) {
    var known = objects.known(host);
    var loss = known == null ? null : known.lost();
    var why =
        new NodeLostException(
            ("%s; node '%s' had passed on %d one-way %s to it, and whether %s served is unknown; to"
                    + " know that a call is served, await it by ref.tell(..).join()")
                .formatted(
                    loss == null ? "node '" + host + "' is gone" : loss.getMessage(),
                    node.id(),
                    count,
                    count == 1 ? "call" : "calls",
                    count == 1 ? "it was" : "they were"),
            loss == null ? null : loss.exitReport().orElse(null));
    var calls = "one-way calls to node '" + host + "'";
    if (origin.equals(node.id())) {
      node.failures().report(null, calls, why);
    } else if (!objects.isDead(origin)) {
      var peer = objects.peer(origin);
      var form = GridBoundary.encodedFailure(why, node, peer.access());
      var failed = new Message.OneWayFailed(0, calls, form.summary(), form.side());
      peer.send(0, failed, form.exception());
    }
  }

  /** Forgets all calls, at the end of a grid. */
  synchronized void clear() {
    unserved.clear();
  }

  /** Returns how many calls are not known to have been served. */
  synchronized int size() {
    return unserved.values().stream()
        .flatMap(each -> each.values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }
}
