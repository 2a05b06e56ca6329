package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.marshal.PassedByName;

/** A node of a grid, as it travels among encoded values. */
public interface NodeToken extends PassedByName {

  /** Returns the grid in which the token names the node. */
  Membership access();

  /** Returns the node's description of itself. */
  NodeDescription member();

  /** Returns whether the token stands for the node of this grid member. */
  boolean isLocal();
}
