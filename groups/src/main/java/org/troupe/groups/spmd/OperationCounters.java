package org.troupe.groups.spmd;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.OperationCounter;
import org.troupe.groups.spmd.CollectiveOperation.Kind;

/**
 * The counters of a member's parts in collective operations, by kind and algorithm. Used by the
 * thread that runs a collective.
 */
final class OperationCounters {

  private static final int ALGORITHMS = CollectiveAlgorithm.values().length;

  private final Communicator communicator;
  private final @Nullable OperationCounter[] counters =
      new @Nullable OperationCounter[Kind.values().length * ALGORITHMS];

  OperationCounters(Communicator communicator) {
    this.communicator = communicator;
  }

  /**
   * Counts a part of this member.
   *
   * @param bytes the size of the numbers that it has given to others
   */
  void add(Kind kind, CollectiveAlgorithm algorithm, long bytes) {
    var place = kind.ordinal() * ALGORITHMS + algorithm.ordinal();
    var counter = counters[place];
    if (counter == null) {
      counter =
          Collectives.current()
              .operationCounter(
                  communicator.id(),
                  communicator.ref(communicator.rank()).type().getName(),
                  communicator.size(),
                  kind.toString(),
                  algorithm.toString());
      counters[place] = counter;
    }
    counter.add(bytes);
  }
}
