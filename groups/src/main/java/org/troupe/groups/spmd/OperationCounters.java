package org.troupe.groups.spmd;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.OperationCounter;

/**
 * The counters of a member's parts in collective operations, by kind and algorithm. Used by the
 * thread that runs a collective.
 */
final class OperationCounters {

  private static final int ALGORITHMS = CollectiveAlgorithm.values().length;

  private final String group;
  private final String type;
  private final int size;
  private final @Nullable OperationCounter[] counters =
      new @Nullable OperationCounter[OperationKind.values().length * ALGORITHMS];

  /** Creates counters for a member of the group with an id, of members of a type. */
  OperationCounters(String group, String type, int size) {
    this.group = group;
    this.type = type;
    this.size = size;
  }

  /**
   * Counts a part of this member.
   *
   * @param bytes the size of the numbers that it has given to others
   */
  void add(OperationKind kind, CollectiveAlgorithm algorithm, long bytes) {
    var place = kind.ordinal() * ALGORITHMS + algorithm.ordinal();
    var counter = counters[place];
    if (counter == null) {
      counter =
          Collectives.current()
              .operationCounter(group, type, size, kind.toString(), algorithm.toString());
      counters[place] = counter;
    }
    counter.add(bytes);
  }
}
