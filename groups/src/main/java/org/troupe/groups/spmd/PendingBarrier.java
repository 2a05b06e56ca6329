package org.troupe.groups.spmd;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;

/** A barrier that some members have reached, but not all. */
final class PendingBarrier extends PendingWait {

  final long number;
  private final Communicator communicator;
  private final Object table; // whose lock guards the fields that say so

  // Guarded by the table
  final BitSet arrived = new BitSet();
  final BitSet marked = new BitSet();
  @Nullable BitSet others; // the other members; null until this member has reached the barrier

  /** For each mark, by rank: the call that it waits behind. May be read without the lock. */
  final AtomicReferenceArray<@Nullable Supplier<@Nullable String>> behind;

  private volatile boolean isReachedByAll; // or has failed

  /**
   * Creates a barrier that no member has reached.
   *
   * @param table the barriers of the member, which guard it
   */
  PendingBarrier(String name, long number, Communicator communicator, Object table) {
    super(name);
    this.number = number;
    this.communicator = communicator;
    this.table = table;
    this.behind = new AtomicReferenceArray<>(communicator.size());
  }

  /** Locks of the body, which the caller may hold, are acquired before that of the table. */
  @Override
  public boolean admits(Request request) {
    synchronized (table) {
      return !isFromAny(marked, request) && (others == null || isFromAny(others, request));
    }
  }

  private boolean isFromAny(BitSet members, Request request) {
    for (var each = members.nextSetBit(0); each >= 0; each = members.nextSetBit(each + 1)) {
      if (Collectives.current().isFrom(request, communicator.ref(each))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether requests that a member sends after reaching this barrier must wait. */
  boolean holdsBack() {
    return !isReachedByAll;
  }

  /**
   * Records that all members have reached this barrier.
   *
   * @param marks the number of marks that have been taken or are in the queue
   * @return the gate that now admits more requests, or {@code null}
   */
  @Nullable RequestGate reachedByAll(int marks) {
    restart();
    isReachedByAll = true;
    return marks > marked.cardinality() ? gate : null;
  }

  @Override
  void end(@Nullable RuntimeException why) {
    isReachedByAll = true;
    super.end(why);
  }

  List<Integer> missing() {
    return othersWithout(arrived);
  }

  private List<Integer> othersWithout(BitSet which) {
    synchronized (table) {
      var rest = others == null ? new BitSet() : (BitSet) others.clone();
      rest.andNot(which);
      return rest.stream().boxed().toList();
    }
  }

  /** Returns whether this member has reached the barrier, and a set has all the others. */
  boolean isComplete(BitSet which) {
    if (others == null || which.cardinality() < others.cardinality()) {
      return false;
    }
    for (var each = others.nextSetBit(0); each >= 0; each = others.nextSetBit(each + 1)) {
      if (!which.get(each)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void warn(Barrier its, long waitedNanos) {
    var missing = missing();
    if (!missing.isEmpty()) {
      communicator.warn(name, missing, Communicator.ALL_CALLED_QUESTION, waitedNanos, its.limit());
      return;
    }
    for (var each : othersWithout(marked)) {
      var request = behind.get(each);
      var stuck = request == null ? null : request.get();
      if (stuck != null) { // otherwise this member itself serves a long request
        communicator.warnOfRequest(name, each, stuck, waitedNanos);
      }
    }
  }
}
