package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
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
  /** The former node is about to request the grant. */
  GRANT_ASKED,
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

  private static final FaultPlan<MoveStep> PLAN = new FaultPlan<>();

  /** Sets what a test does at the steps; {@code null} for nothing. */
  public static void follow(@Nullable BiConsumer<MoveStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
