package org.troupe.replicas;

import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A membership of a replicated object, and the period in which it holds.
 *
 * @param number views that are installed have rising numbers; others may have the same one
 * @param members in the order of joining, by their indices; the first one has proposed the view,
 *     and is its sequencer
 */
record View(int number, SortedMap<Integer, ReplicaMember> members) {

  /** The view of a newcomer before any is proposed to it. */
  static final View NONE = new View(-1, new TreeMap<>());

  /**
   * Names a view: no two views have the same number and the same sequencer. Views are in the order
   * of their sequencers, as a younger member prepares a view only when all older ones are lost; and
   * those of one sequencer are in the order of their numbers.
   */
  record Id(int number, int sequencer) implements Comparable<Id> {

    /** Is below all names of views. */
    static final Id NONE = new Id(-1, -1);

    @Override
    public int compareTo(Id other) {
      return sequencer == other.sequencer
          ? Integer.compare(number, other.number)
          : Integer.compare(sequencer, other.sequencer);
    }
  }

  Id id() {
    return members.isEmpty() ? Id.NONE : new Id(number, first());
  }

  int first() {
    return members.firstKey();
  }

  /** Returns the view without some members. */
  View without(Set<ReplicaMember> others) {
    var rest = new TreeMap<>(members);
    rest.values().removeAll(others);
    return new View(number, rest);
  }

  /** Returns the next view, with a newcomer. */
  View with(ReplicaMember newcomer) {
    var more = new TreeMap<>(members);
    more.put(number + 1, newcomer);
    return new View(number + 1, more);
  }

  /** Returns the next view, of the same members. */
  View next() {
    return new View(number + 1, members);
  }

  ReplicaMember address(int member) {
    return Objects.requireNonNull(members.get(member), "one of the members");
  }
}
