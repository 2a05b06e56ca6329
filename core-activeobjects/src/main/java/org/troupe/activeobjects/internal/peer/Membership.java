package org.troupe.activeobjects.internal.peer;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.futures.FutureResult;

/**
 * The grid of a peer as connections use it: it resolves addresses, connects, and decides which
 * nodes are lost. The package of membership, which implements this interface, is above that of
 * peers.
 */
public interface Membership {

  /** Connects to a node. */
  Connection connect(String address) throws IOException;

  /** Returns where this node can be reached. */
  String address();

  /** Returns the description of this node for others. */
  NodeDescription describeSelf();

  /** Returns the limits on the memory for arriving frames. */
  ReceiveLimits receiveLimits();

  /** Returns the time of the clock that measures silences. */
  long nanoTime();

  /** Returns why this node no longer communicates with any other; {@code null} while it does. */
  @Nullable String givenUp();

  /**
   * Returns whether the nodes of the grid are about to end. Asks the coordinator, unless this node
   * knows: that all nodes end is why one is lost, so a node that learns of a loss can find out.
   */
  boolean isEnding();

  /** Returns whether this node has found out that the nodes of the grid are about to end. */
  boolean isKnownToEnd();

  /**
   * Returns whether a frame of a node may have arrived before the node was known, and was dropped.
   */
  boolean hasIgnored(NodeId id);

  /** Reports a peer that cannot be reached, is silent or sends malformed frames. */
  void suspect(NodeId suspect, String evidence);

  /**
   * Reports a peer that has been silent for some time.
   *
   * @param hasConnected whether its process has taken part in a new connection since then
   */
  void silent(
      NodeId peer,
      AccrualDetector detector,
      long silenceNanos,
      long allowedNanos,
      boolean hasConnected);

  /** No connection to a peer, silent for so long, could be made for some time. */
  void unreachable(NodeId peer, long silentNanos, Exception why);

  /** Returns a member; empty if the node is not one, or has left. */
  Optional<Node> member(NodeId id);

  /** Returns the token of a node of the grid. */
  NodeToken node(NodeDescription description);

  /** Returns the token of the live set of the nodes of a virtual node. */
  NodesToken liveNodes(String virtualNode);

  /** Returns a peer as a provider of classes. */
  ClassProvider classesOf(RemoteNode peer);

  /** Asks a peer for the end of an object. */
  CallResult askForEnd(RemoteNode peer, long number);

  /** Asks a peer how many one-way calls of this node it has served. */
  CompletableFuture<Long> askForServed(RemoteNode peer);

  /** Asks a peer to answer when it has served so many one-way calls of this node. */
  CompletableFuture<Boolean> askWhenServed(RemoteNode peer, long calls);

  /** Asks a peer to let an object of it, which may have moved, end with another. */
  FutureResult<Void> askToFollow(RemoteNode peer, long number, Reference<?> leader);
}
