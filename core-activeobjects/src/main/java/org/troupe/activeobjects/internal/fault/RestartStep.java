package org.troupe.activeobjects.internal.fault;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/** The steps of a restart on another node, at each of which a test can let a fault happen. */
public enum RestartStep {
  /** A node has learnt of the death of another, and is about to apply it. */
  DEATH_TOLD,
  /** A node is about to acknowledge that it has applied a death. */
  DEATH_ACKNOWLEDGED,
  /** A caller's node is about to ask where the object is. */
  PLACE_ASKED,
  /** The new node learns of the grant. */
  GRANTED,
  /** The new node is about to open the journal of a kept object. */
  STORE_READ,
  /** The object is about to be made on the new node. */
  MAKING,
  /** A request of the log has been served again. */
  REPLAYED,
  /** The object is served on the new node. */
  REVIVED,
  /** A caller's node learns where the object is, and is about to send what has waited. */
  LOCATED,
  /** An object sleeps, and its node is about to tell the coordinator. */
  ASLEEP,
  /** An object that sleeps on its node is called, and its node is about to tell the coordinator. */
  WOKEN,
  /** A node is about to ask the coordinator for a named object. */
  NAME_ASKED,
  /** A node is about to make a named object for the first time. */
  NAME_GRANTED;

  private static final FaultPlan<RestartStep> PLAN = new FaultPlan<>();

  /** Sets the action of a test at the steps; {@code null} for none. */
  public static void follow(@Nullable BiConsumer<RestartStep, NodeId> actions) {
    PLAN.follow(actions);
  }

  /** Reports that a node has come to this step. */
  public void passes(NodeId node) {
    PLAN.passes(this, node);
  }
}
