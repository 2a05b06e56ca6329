package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of a checkpoint of a group, at each of which a test can let a fault happen. */
public enum CheckpointStep {
  /** The image of a member has been made. */
  GROUP_IMAGED,
  /** The image of a member is about to be written. */
  IMAGE_WRITTEN,
  /** The image of a member is stable. */
  IMAGE_STABLE,
  /** The images of all members are stable, and the former ones are about to be deleted. */
  GENERATION_STABLE,
  /** A member is about to be made from its image. */
  MEMBER_RESTORED;

  private static final FaultPlan<CheckpointStep> PLAN = new FaultPlan<>();

  /** Sets the action of a test at the steps; {@code null} for none. */
  public static void follow(@Nullable BiConsumer<CheckpointStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
