package org.troupe.activeobjects.internal.service;

import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;

/** The services of the members of one grid, as a node of the grid calls them. */
public record NodeServices(NodeObjects node, PeerTable peers, Membership grid) {

  /**
   * Returns the peer of a member. Peers are created on demand, because a node communicates with few
   * of a thousand members.
   */
  public Peer peer(NodeDescription member) {
    return peers.peer(member.id(), grid, member.address());
  }

  /** Returns the service of a member. */
  public NodeServiceClient of(NodeDescription member) {
    return of(peer(member));
  }

  /** Returns the service of a peer. */
  public NodeServiceClient of(RemoteNode peer) {
    return new NodeServiceClient(node, peer);
  }
}
