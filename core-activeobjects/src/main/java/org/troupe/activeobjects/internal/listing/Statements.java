package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The coordinator's account of the members that have stated what they hold of lost nodes. A member
 * states for all losses up to a view at once, after the hosts concerned have acknowledged. Guarded
 * by the lock that puts the changes of the grid in one order.
 */
public class Statements {

  private final Map<Long, Long> stated = new HashMap<>(); // the last views, by the members
  private final TreeSet<Long> losses = new TreeSet<>(); // their views, unsettled

  /** Adds a member, which has received nothing from nodes that were lost before. */
  public final void joined(long member, long view) {
    stated.put(member, view);
  }

  /** Removes a member that was lost by a view. */
  public void lost(long member, long view) {
    stated.remove(member);
    losses.add(view);
  }

  /** Records what a member has stated. */
  public final void stated(long member, long view) {
    stated.computeIfPresent(member, (_, before) -> Math.max(before, view));
  }

  /**
   * Returns the view up to which all losses have become settled since the last call; 0 if there is
   * none.
   */
  public final long newlySettled() {
    if (losses.isEmpty()) {
      return 0;
    }
    var upTo = stated.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    var last = losses.floor(upTo);
    if (last == null) {
      return 0;
    }
    losses.headSet(last, true).clear();
    return last;
  }
}
