package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of keeping a journal in two nodes, at each of which a test can let a fault happen. */
public enum BuddyStep {
  /** The owner of a journal has chosen a buddy, and is about to send the whole journal to it. */
  BUDDY_CHOSEN,
  /** The buddy has taken records or an image, and is about to acknowledge them. */
  BUDDY_WRITTEN,
  /** A node has become the owner of a journal whose owner is lost. */
  COPY_CLAIMED;

  private static final FaultPlan<BuddyStep> PLAN = new FaultPlan<>();

  /** Sets the action of a test at the steps; {@code null} for none. */
  public static void follow(@Nullable BiConsumer<BuddyStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
