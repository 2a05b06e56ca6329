package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The losses of nodes that one host knows of, and those after which not every member has stated the
 * references that it holds. Thread-safe, but the users of several of its methods must exclude each
 * other where they need one answer.
 */
public class NodeDeaths {

  private final long self;
  private final Set<Long> dead = new HashSet<>();
  private final Map<Long, Announced> unsettled = new HashMap<>();

  /** Where a loss was announced: views of different grids cannot be compared. */
  private record Announced(@Nullable Object grid, long view) {}

  public NodeDeaths(long self) {
    this.self = self;
  }

  /** Returns the host. */
  final long self() {
    return self;
  }

  /**
   * Records a loss that was announced and that this node has yet to apply. Earlier losses may be
   * settled before that, but the lost node may have passed copies on without stating its own.
   */
  public synchronized void announced(long lost, Object grid, long view) {
    unsettled.put(lost, new Announced(grid, view));
  }

  /**
   * Records a loss that this node has applied.
   *
   * @param grid identifies the grid that has announced it
   * @param view the number of its view
   * @return whether the loss was not known before, so that all {@link HostedCopies} must strike it
   *     out
   */
  public final synchronized boolean died(long lost, Object grid, long view) {
    var isNew = dead.add(lost);
    if (isNew || unsettled.containsKey(lost)) {
      unsettled.put(lost, new Announced(grid, view));
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
      unsettled.put(lost, new Announced(null, 0)); // no grid settles it before
    }
    return isNew;
  }

  /** Handles the news that all members of a grid have stated everything up to a view of it. */
  public final synchronized void settled(Object grid, long view) {
    unsettled.values().removeIf(each -> grid.equals(each.grid()) && each.view() <= view);
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
