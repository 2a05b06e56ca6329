package org.troupe.activeobjects.internal.peer;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.serialization.SerializationException;

/** The other nodes that one node knows, by their incarnations. */
public final class PeerTable {

  private final NodeObjects node;
  private final DeadlockSearch deadlocks;
  private final Relocations relocations;
  private final NumberedRequests numbered;
  private final Map<Long, Peer> peers = new ConcurrentHashMap<>();

  public PeerTable(NodeObjects node, DeadlockSearch deadlocks, Relocations relocations) {
    this.node = node;
    this.deadlocks = deadlocks;
    this.relocations = relocations;
    this.numbered = new NumberedRequests(node);
  }

  /**
   * Returns another node, whether or not there is a connection to it. A node of a grid that this
   * one has left is lost, and the table gets no entry for it.
   */
  public Peer peer(NodeId other, Membership membership, String address) {
    var end = membership.givenUp();
    if (end != null) {
      return lost(other, membership, address, end);
    }
    var peer =
        peers.computeIfAbsent(
            other.incarnation(), incarnation -> create(other, membership, address));
    if (relocations.isDying(other)) { // it may just have been made
      peer.outbox().markAllMoved();
    }
    end = membership.givenUp(); // perhaps just now
    if (end != null && peer.access() == membership) {
      peer.lose(end);
    }
    return peer;
  }

  private Peer lost(NodeId other, Membership left, String address, String end) {
    var known = peers.get(other.incarnation());
    if (known != null && known.access() == left) {
      known.lose(end);
      return known;
    }
    var lost = create(other, left, address);
    lost.loseUnused(end);
    node.extensions().lost(other, "node '" + other + "' is gone: " + end);
    return lost;
  }

  /**
   * Returns what stands for this node in references to its objects that are lost to it. The table
   * gets no entry for it.
   */
  public Peer ofLostObjects(Membership membership) {
    var self = create(node.id(), membership, membership.address());
    self.loseUnused("its objects are made again elsewhere, or in the next run");
    return self;
  }

  private Peer create(NodeId other, Membership membership, String address) {
    return new Peer(
        this::named, node, deadlocks, relocations, numbered, other, membership, address);
  }

  /**
   * Returns a node that another node has named. The number is limited, because a faulty node could
   * invent names without end.
   *
   * @throws SerializationException if there are too many
   */
  public Peer named(NodeId other, Membership membership, String address) {
    if (membership.givenUp() == null
        && !peers.containsKey(other.incarnation())
        && peers.size() >= membership.receiveLimits().peers()) {
      throw new SerializationException(
          "node '%s' is not known, and %d others are; give this JVM more memory (-Xmx) if there are so many"
              .formatted(other, peers.size()));
    }
    return peer(other, membership, address);
  }

  /** Implements {@code NodeHost.inOrder}. */
  public void inOrder(Body body, Runnable action) {
    numbered.inOrder(body, action);
  }

  /** Implements {@code NodeHost.isFirst}. */
  public boolean isFirst(CallName name, Body body, NamedReply.Sender sender, CallRequest request) {
    if (body.hasLeft()) { // its next node decides
      request.replyTo(new NamedReply(name, sender, request.receiver()));
      return true;
    }
    return numbered.take(name, body.identityOfObject(), body, sender, request);
  }

  /** Returns the accounts of callers that have numbered their calls to an object without a log. */
  public List<CallerAccount> accountsOfCallers(Body body) {
    return numbered.accountsOf(body.number());
  }

  /** Takes over such accounts with an object that is about to arrive. */
  public void adoptAccounts(Body body, List<CallerAccount> its) {
    numbered.adopt(body, its);
  }

  /** Forgets such accounts, since the object has left. */
  public void forgetAccounts(Body body) {
    numbered.forget(body.number());
  }

  /** Returns all of them. */
  public Collection<Peer> all() {
    return peers.values();
  }

  /** Returns a node if this one has dealt with it; else {@code null}. */
  public @Nullable Peer known(NodeId other) {
    return known(other.incarnation());
  }

  /** Returns the node of an incarnation if this one has dealt with it; else {@code null}. */
  public @Nullable Peer known(long incarnation) {
    return peers.get(incarnation);
  }

  /** Forgets the nodes of a grid that this one has left. */
  public void forget(Membership membership) {
    node.extensions().forget(id -> known(id) instanceof Peer peer && peer.access() == membership);
    peers.values().removeIf(peer -> peer.access() == membership);
  }

  /** Returns what this node has sent to all of them. */
  public Traffic traffic() {
    return peers.values().stream()
        .map(peer -> peer.outbox().traffic())
        .reduce(Traffic.NONE, Traffic::plus);
  }
}
