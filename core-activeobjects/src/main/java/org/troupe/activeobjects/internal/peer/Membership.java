package org.troupe.activeobjects.internal.peer;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.transport.Transport.Connection;

/**
 * The grid of a peer, as connections use it: it knows addresses, connects, and decides who is lost.
 * The room of membership, which implements this, is above that of peers.
 */
public interface Membership {

  /** Connects to a node. */
  Connection connect(String address) throws IOException;

  /** Returns where this node can be reached. */
  String address();

  /** Returns what this node tells others of itself. */
  NodeDescription describeSelf();

  /** Returns how much of what arrives is kept. */
  ReceiveLimits receiveLimits();

  /** Returns the time by which silences are measured. */
  long nanoTime();

  /** Returns why this node deals with no other any more; {@code null} while it does. */
  String givenUp();

  /** Says whether a frame of a node may have come before the node was known, and was dropped. */
  boolean hasIgnored(NodeId id);

  /** A peer cannot be reached, is silent or sends frames that cannot be read. */
  void suspect(NodeId suspect, String evidence);

  /**
   * A peer has not been heard for some time.
   *
   * @param hasConnected whether its process has done its part in a connection since then
   */
  void silent(
      NodeId peer,
      AccrualDetector detector,
      long silenceNanos,
      long allowedNanos,
      boolean hasConnected);

  /** No connection to a peer, silent for so long, could be made for some time. */
  void unreachable(NodeId peer, long silentNanos, Exception why);

  /** Returns a member; empty if it is none, or has left. */
  Optional<Node> member(NodeId id);

  /** Returns the token of a node of the grid. */
  NodeToken node(NodeDescription description);

  /** Returns the token of the live set of the nodes of a virtual node. */
  NodesToken liveNodes(String virtualNode);

  /** Returns a peer as a provider of classes. */
  ClassProvider classesOf(RemoteNode peer);

  /** Completes when an object of a peer has ended. */
  CompletableFuture<Void> whenEnded(RemoteNode peer, long number);
}
