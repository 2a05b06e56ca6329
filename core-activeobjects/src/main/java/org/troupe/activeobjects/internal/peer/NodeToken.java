package org.troupe.activeobjects.internal.peer;

import org.troupe.activeobjects.internal.marshal.PassedByName;

/** A node of a grid, as it travels among encoded values. */
public interface NodeToken extends PassedByName {

  /** Returns the grid by which this names the node. */
  Membership access();

  /** Returns what the node told of itself. */
  NodeDescription member();

  /** Says whether it is the node of this grid member. */
  boolean isLocal();
}
