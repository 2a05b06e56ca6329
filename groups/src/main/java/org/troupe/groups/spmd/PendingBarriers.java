package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The barriers that a member has not passed, by name and number. Guarded by the table. */
final class PendingBarriers {

  /*
   * A member that waits for each barrier which it reaches has one pending barrier at a time. That one is in a field: to
   * add it to a map, find it twice there and remove it takes longer than to announce it on the board.
   */
  private @Nullable PendingBarrier first;

  private final Map<Id, PendingBarrier> further = new HashMap<>();

  private record Id(String name, long number) {
    static Id of(PendingBarrier barrier) {
      return new Id(barrier.name, barrier.number);
    }
  }

  @Nullable PendingBarrier get(String name, long number) {
    if (first != null && first.number == number && first.name.equals(name)) {
      return first;
    }
    return further.isEmpty() ? null : further.get(new Id(name, number));
  }

  void add(PendingBarrier barrier) {
    if (first == null) {
      first = barrier;
    } else {
      further.put(Id.of(barrier), barrier);
    }
  }

  void remove(PendingBarrier barrier) {
    if (first == barrier) {
      first = null;
    } else {
      further.remove(Id.of(barrier));
    }
  }

  /** Removes the barriers for which a condition holds, which is checked once for each. */
  void removeIf(Predicate<PendingBarrier> condition) {
    if (first != null && condition.test(first)) {
      first = null;
    }
    further.values().removeIf(condition);
  }

  List<PendingBarrier> all() {
    List<PendingBarrier> all = new ArrayList<>(further.values());
    if (first != null) {
      all.add(first);
    }
    return all;
  }
}
