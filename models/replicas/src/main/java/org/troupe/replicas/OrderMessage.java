package org.troupe.replicas;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the members of a replicated object. Each message names the view that it
 * belongs to, but for those about who there is.
 */
sealed interface OrderMessage {

  /**
   * A member or a newcomer is lost or has left; a member sends it to itself when it hears of it.
   */
  record Lost(ReplicaMember member) implements OrderMessage {}

  /** A newcomer asks to be added. It asks all members, as it does not know which one decides. */
  record Join(ReplicaMember newcomer) implements OrderMessage {}

  /**
   * A write, sent by its origin to all other members.
   *
   * @param member the origin's index
   * @param beyond the members to which the sequencer sends the write, together with its number
   */
  record Proposal(View.Id view, int member, Change.Write write, List<Integer> beyond)
      implements OrderMessage {}

  /** A message to several members of a cluster; the receiver sends it on to the others. */
  record Relay(View.Id view, List<Integer> others, OrderMessage message) implements OrderMessage {}

  /**
   * The number of a change, sent by the sequencer to all other members; the origin of a write may
   * get it as the answer to a call.
   *
   * @param stable all members have applied the changes up to this number
   */
  record Numbered(View.Id view, long number, Change change, long stable) implements OrderMessage {

    /** Returns this number with the arguments of the write. */
    Numbered with(Change.Write write) {
      return new Numbered(view, number, write, stable);
    }
  }

  /** A member has applied all changes up to a number; sent to the sequencer. */
  record Applied(View.Id view, int member, long upTo) implements OrderMessage {}

  /** A member asks for the end of the object; sent to the sequencer. */
  record Closing(View.Id view) implements OrderMessage {}

  /**
   * All members have applied the end of the object; sent by the sequencer to all other members, and
   * to newcomers.
   */
  record Closed() implements OrderMessage {}

  /**
   * A member does not know whether a write of its has a number, since its call to the sequencer was
   * interrupted; sent to the sequencer, which begins the next view, in which it is known.
   */
  record Renewal(View.Id view) implements OrderMessage {}

  /** The next view, sent to all its members by the one that will be its sequencer. */
  record Prepare(View next) implements OrderMessage {}

  /**
   * The answer to {@link Prepare}. The sender takes no message of earlier views from then on.
   *
   * @param view the view that is prepared
   * @param member the sender
   * @param installed the last view that the sender has installed; {@link View.Id#NONE} if it is a
   *     newcomer, which has no state
   * @param applied the last change that the sender has applied
   * @param log the changes that it knows by their numbers and that may be new to another member
   */
  record Report(
      View.Id view, int member, View.Id installed, long applied, SortedMap<Long, Change> log)
      implements OrderMessage {}

  /**
   * The beginning of a view, sent by its sequencer to all members when all have reported.
   *
   * @param view the prepared view without the members that were lost meanwhile
   * @param first the number of the first change
   * @param changes all numbered changes that may be new to a member
   * @param state the object, for a newcomer
   */
  record Install(View view, long first, List<Change> changes, @Nullable State state)
      implements OrderMessage {}

  /**
   * A state of the object.
   *
   * @param identity names the replicated object: the address of its very first member
   * @param applied the last change that is part of the state
   */
  record State(ReplicaMember identity, long applied, Object object) {}

  /** A newcomer cannot have a state, as it cannot be sent; the newcomer gives up. */
  record Refused(String why) implements OrderMessage {}

  /**
   * Hashes of the state of a replica, sent to the sequencer if {@code troupe.replicas.check} is
   * set.
   *
   * @param node the name of the replica's node
   * @param first the number of the change before the first hash
   * @param hashes after each change; 0 if it is not known
   */
  record Hashes(String node, long first, long[] hashes) implements OrderMessage {}
}
