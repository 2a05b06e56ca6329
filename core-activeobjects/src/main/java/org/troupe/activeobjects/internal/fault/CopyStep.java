package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
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
  SETTLED,
  /** A node is asked whether an object that has moved may be released. */
  ASKED,
  /** The birthplace of an object lets its host release it. */
  RELEASE_SENT,
  /** A node has released an object that has moved to it. */
  RELEASED;

  private static final FaultPlan<CopyStep> PLAN = new FaultPlan<>();

  /** Sets what a test does at the steps; {@code null} for nothing. */
  public static void follow(@Nullable BiConsumer<CopyStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
