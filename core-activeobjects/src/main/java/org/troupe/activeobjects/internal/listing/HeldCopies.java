package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The references of one node to one object of another: from which nodes copies came, and the
 * changes that have not been reported to the host yet. Not thread-safe.
 */
public class HeldCopies {

  private Map<Long, Integer> held = Map.of(); // by their givers
  private Map<Long, Integer> given = Map.of(); // untold, by the receivers
  private Map<Long, Integer> dropped = Map.of(); // untold, by the givers

  /** Counts a copy that was taken off the wire. */
  public final void received(long giver) {
    held = counted(held, giver, 1);
  }

  /** Counts a copy that is written into a frame for another node. */
  public final void given(long receiver) {
    given = counted(given, receiver, 1);
  }

  /**
   * Returns whether all copies have been received that were given; if not, some are on their way.
   */
  public boolean areAll(int given) {
    return held.values().stream().mapToInt(Integer::intValue).sum() == given;
  }

  /** Drops all copies, because nothing in the JVM refers to the object any more. */
  public final void cleared() {
    for (var each : held.entrySet()) {
      dropped = counted(dropped, each.getKey(), each.getValue());
    }
    held = Map.of();
  }

  /** Returns what the host is to be told now, and has been told then; {@code null} if nothing. */
  public @Nullable CopyChanges takeChanges() {
    if (!hasChanges()) {
      return null;
    }
    var changes = new CopyChanges(given, dropped);
    given = Map.of();
    dropped = Map.of();
    return changes;
  }

  /** Returns whether the host has not been told everything. */
  public final boolean hasChanges() {
    return !given.isEmpty() || !dropped.isEmpty();
  }

  /** Returns whether there is neither a copy nor anything to tell. */
  public final boolean isOver() {
    return held.isEmpty() && !hasChanges();
  }

  /**
   * Returns how many copies a node that was lost has given of which the host has not been told that
   * they were dropped. No more can come from that node.
   */
  public int statement(long lost) {
    return held.getOrDefault(lost, 0) + untoldDrops(lost);
  }

  int untoldDrops(long giver) {
    return dropped.getOrDefault(giver, 0);
  }

  private static Map<Long, Integer> counted(Map<Long, Integer> counts, long node, int count) {
    var target = counts.isEmpty() ? new HashMap<Long, Integer>(2) : counts;
    target.merge(node, count, Integer::sum);
    return target;
  }
}
