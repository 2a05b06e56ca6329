package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.classes.ClassAccess;
import org.troupe.activeobjects.internal.deadlock.DeadlockDetector;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.PeerTable;

/** The parts of a node of this JVM that its memberships use. */
public record LocalNode(
    NodeObjects objects,
    ClassAccess classes,
    PeerTable peers,
    DeadlockDetector deadlocks,
    MovedObjects moved) {

  /** Returns the name and incarnation of the node. */
  public NodeId id() {
    return objects.id();
  }
}
