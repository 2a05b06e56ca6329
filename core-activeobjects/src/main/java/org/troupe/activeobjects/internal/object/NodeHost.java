package org.troupe.activeobjects.internal.object;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Traffic;

/** The runtime around the objects of a node: its part in grids, as its objects can ask for it. */
public interface NodeHost {

  /**
   * Returns the node as one of a grid: of several, the grid that the current request came from, or
   * the first.
   *
   * @throws IllegalStateException if it takes part in none
   */
  Node self();

  /** Returns a member of any of its grids; empty if there is none. */
  Optional<Node> member(NodeId id);

  /** Returns what the node has sent to other nodes. */
  Traffic traffic();

  /** Lets the current thread receive frames while it waits, if it is a platform thread. */
  void receiveWhile(BooleanSupplier isWaiting);
}
