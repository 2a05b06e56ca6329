package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of making a save point, at each of which a test can let a fault happen. */
public enum SaveStep {
  /** A node holds back the output of its logged objects. */
  SAVE_ANNOUNCED,
  /** The log of an object has its mark. */
  SAVE_MARKED,
  /** The output of a node leaves again. */
  OUTPUT_RELEASED,
  /** The journal of an object is stored up to its mark. */
  JOURNAL_COPIED,
  /** All journals are stored, and the list of them is about to be. */
  SAVE_LISTED;

  private static final FaultPlan<SaveStep> PLAN = new FaultPlan<>();

  /** Sets the action of a test at the steps; {@code null} for none. */
  public static void follow(@Nullable BiConsumer<SaveStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
