package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.marshal.PassedByName;

/** A live set of the nodes of a grid, as it travels among encoded values. */
public interface NodesToken extends PassedByName {

  /** Returns the grid whose nodes these are. */
  Membership access();

  /** Returns the virtual node, or the empty string for all nodes. */
  String virtualNode();
}
