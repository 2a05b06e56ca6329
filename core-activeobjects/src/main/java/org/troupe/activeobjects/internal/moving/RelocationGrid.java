package org.troupe.activeobjects.internal.moving;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The grid in which the objects of a node move. The package of membership implements it. */
public interface RelocationGrid {

  /** Returns the grid as the traffic between nodes uses it. */
  Membership access();

  /** Returns the number of the last view of the grid whose deaths this node has applied. */
  long appliedView();

  /** Requests the place of an object from the coordinator. */
  CompletableFuture<Located> locate(ObjectIdentity object);

  /**
   * Requests from the host of an object those of some unanswered calls that it does not have;
   * {@code null} if the object has left it.
   *
   * @param epoch the epoch in which it is the host
   * @param view the number of the view that it must have applied before it answers
   */
  CompletableFuture<long @Nullable []> missing(
      Peer host, ObjectIdentity object, long[] callIds, int epoch, long view);

  /**
   * Returns those of some calls of this node that other nodes have not answered: an answer that
   * depends on a future is given by the node on which the call was served. Waits for all nodes.
   */
  Set<Long> unanswered(Set<Long> callIds) throws InterruptedException;

  /** Returns the end of an object, which is or was on another node. */
  CompletableFuture<End> end(Peer host, ObjectIdentity object);

  /** Returns whether a node is no member, and its calls have been completed if it was one. */
  boolean isGone(NodeId node);

  /**
   * Where an object is.
   *
   * @param host the node that the last grant names
   * @param address the address of that node
   * @param view the number of the view in which that was so
   * @param isLost whether that node is no member any more
   */
  record Located(NodeId host, String address, int epoch, long view, boolean isLost) {}
}
