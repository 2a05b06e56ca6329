package org.troupe.replicas;

import java.util.List;
import java.util.Map;

/** What the members of a replicated object send to one another. */
sealed interface OrderMessage {

  /** A write, sent by its origin to all members but the sequencer, which numbers it. */
  record Proposal(Change.Write write) implements OrderMessage {}

  /**
   * Consecutive changes, sent by the sequencer.
   *
   * @param stable all members have applied the changes up to this number
   */
  record Numbered(int epoch, long first, List<Change> changes, long stable)
      implements OrderMessage {}

  /** The sender has applied all changes up to a number. */
  record Applied(int epoch, int member, long last) implements OrderMessage {}

  /**
   * A new sequencer asks what a member has. The member ignores former sequencers from then on.
   *
   * @param member the index of the receiver
   */
  record Inquiry(int epoch, int member) implements OrderMessage {}

  /**
   * The answer to an inquiry.
   *
   * @param applied the last change that the member has applied; -1 if it has no state yet
   * @param known the changes that it may have to pass on, by number
   */
  record Report(int epoch, int member, long applied, Map<Long, Change> known)
      implements OrderMessage {}

  /** All changes from a number on that the order has after the loss of a sequencer. */
  record Recovery(int epoch, long first, List<Change> changes) implements OrderMessage {}

  /**
   * The state of the object for a member that has none.
   *
   * @param identity names the replicated object
   * @param member the index of the receiver
   * @param applied the last change that is part of the state
   * @param members the members at this place in the order
   * @param later the changes behind it that have a number
   */
  record State(
      ReplicaMember identity,
      int member,
      int epoch,
      long applied,
      Object object,
      Map<Integer, ReplicaMember> members,
      List<Change> later)
      implements OrderMessage {}
}
