package org.troupe.activeobjects.internal.object;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.transport.SharedSegment;

/**
 * The environment of a node's objects: the grids that the node takes part in, as far as its objects
 * use them.
 */
public interface NodeHost {

  /**
   * Returns the node as a member of a grid. If it is a member of several, the grid is the one that
   * the current request came from, or else the first. If it is a member of none, the result is a
   * node that only this JVM can reach.
   */
  Node self();

  /** Returns a member of any of the node's grids; empty if there is none. */
  Optional<Node> member(NodeId id);

  /** Returns the traffic from this node to other nodes. */
  Traffic traffic();

  /** Lets the current thread poll for frames while it waits, if it is a platform thread. */
  void receiveWhile(BooleanSupplier isWaiting);

  /** Creates memory for nodes on this host; {@code null} if no transport of this node can. */
  @Nullable SharedSegment createMemory(long size);

  /** Opens memory of another node; {@code null} if it cannot be shared with this one. */
  @Nullable SharedSegment openMemory(byte[] details, long size);
}
