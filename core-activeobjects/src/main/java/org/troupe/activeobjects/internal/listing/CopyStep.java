package org.troupe.activeobjects.internal.listing;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of counting copies of references, at each of which a test can let a fault happen. */
public enum CopyStep {
  /** A node has counted a copy that it is about to send. */
  GIVEN,
  /** A node has taken a copy off the wire. */
  TAKEN_OFF_WIRE,
  /** A node has dropped its copies. */
  DROPPED,
  /** A node has told a host of its changes. */
  TOLD,
  /** A node has stated what it holds of a lost one. */
  STATED,
  /** A node learns that all members have stated. */
  SETTLED;

  /** What a test does at the steps. */
  public interface Plan {

    /** Handles the passage of a step on a node, which continues when this returns. */
    void at(CopyStep step, NodeId node);
  }

  private static volatile @Nullable Plan plan;

  /** Installs a plan, or none. */
  public static void follow(@Nullable Plan next) {
    plan = next;
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    var known = plan;
    if (known != null) {
      known.at(this, node);
    }
  }
}
