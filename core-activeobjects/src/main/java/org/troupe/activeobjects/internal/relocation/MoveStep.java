package org.troupe.activeobjects.internal.relocation;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of a move, at each of which a test can let a fault happen. */
public enum MoveStep {
  /** The node of the object begins a move. */
  ASKED,
  /** The object has reached a safe point. */
  FROZEN,
  /** The image has been sent. */
  IMAGE_SENT,
  /** The other node has read the image. */
  IMAGE_READ,
  /** The former node knows that the image was read. */
  READY,
  /** The former node learns of the grant. */
  GRANTED_AWAY,
  /** The new node learns of the grant. */
  GRANTED_HERE,
  /** The end of the queue is about to follow the object. */
  TAIL_END,
  /** A forwarder is about to report where the object is. */
  RELOCATED,
  /** A sender is about to send a mark. */
  MARK,
  /** A host is about to report that a mark has arrived. */
  SWITCHED,
  /** The object serves on the new node. */
  ARRIVED;

  /** What a test does at the steps. */
  public interface Plan {

    /** Handles the passage of a step on a node, which continues when this returns. */
    void at(MoveStep step, NodeId node);
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
