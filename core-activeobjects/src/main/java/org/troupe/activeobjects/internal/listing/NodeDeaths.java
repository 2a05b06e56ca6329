package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The losses of nodes that one host knows of, and those after which not every member has stated
 * what it holds. Thread-safe, but the users of several of its methods must exclude each other where
 * they need one answer.
 */
public class NodeDeaths {

  private final long self;
  private final Set<Long> dead = new HashSet<>();
  private final Map<Long, Long> unsettled = new HashMap<>(); // the views of the losses

  public NodeDeaths(long self) {
    this.self = self;
  }

  /** Returns the host. */
  final long self() {
    return self;
  }

  /**
   * Records a loss that this node has applied.
   *
   * @param view the number of the view that has announced it
   * @return whether the loss was not known before, so that all {@link HostedCopies} must strike it
   *     out
   */
  public final synchronized boolean died(long lost, long view) {
    var isNew = dead.add(lost);
    if (isNew || unsettled.containsKey(lost)) {
      unsettled.put(lost, view);
    }
    return isNew;
  }

  /**
   * Records a loss that another member has stated something of; {@link #died} follows.
   *
   * @return as for {@link #died}
   */
  public final synchronized boolean statedBefore(long lost) {
    var isNew = dead.add(lost);
    if (isNew) {
      unsettled.put(lost, Long.MAX_VALUE);
    }
    return isNew;
  }

  /** Handles the news that all members have stated everything for the losses up to a view. */
  public final synchronized void settled(long view) {
    unsettled.values().removeIf(each -> each <= view);
  }

  /**
   * Records that this node cannot hear of another any more, whose grid it has left, so that nothing
   * has to be stated.
   *
   * @return as for {@link #died}
   */
  public final synchronized boolean left(long member) {
    unsettled.remove(member);
    return dead.add(member);
  }

  /** Returns whether a node is lost. */
  public final synchronized boolean isDead(long node) {
    return !dead.isEmpty() && dead.contains(node);
  }

  /** Returns whether all members have stated everything. */
  public synchronized boolean areSettled() {
    return unsettled.isEmpty();
  }
}
