package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.object.RemoteNode;

/** A remote node with its place in a grid. */
interface GridNode extends RemoteNode {

  /** Returns the grid that it belongs to. */
  Membership access();

  /** Returns where it can be reached, in the transport's notation. */
  String address();

  /**
   * Casts a remote node: each one is a peer, a type that the package {@code object} cannot name.
   */
  static GridNode of(RemoteNode node) {
    return (GridNode) node;
  }
}
