package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension.Key;

/** The checkpoints of one member of a group. Thread-safe. */
final class MemberCheckpoints {

  /*
   * Design: a cut between two steps
   *
   *   caller --visit, in turn--> each member: HOLDS (requests) --image--> IMAGED --mark--> each other member
   *   IMAGED --all marks taken, all numbers agree--> READY, serves on --ready--> member 0
   *   member 0 --all ready--> write(generation) --> each member: image to the store --stable--> member 0
   *   member 0 --all stable--> deletes the former generation, answers the caller
   *
   * A member sends its mark behind everything that it has sent before its image, and sends nothing from its image until it
   * has taken the marks of all. So nothing that is sent behind the cut can be taken in front of it. A message that was
   * sent in front of the cut, and not taken in front of it, is found by the receiver, which then fails:
   *
   *   - a call that is in its queue in front of the sender's mark. The mark is put into the queue, where it overtakes all
   *     requests but those of its sender (Collectives.runInTurn), so a call of a member whose mark has not run was sent
   *     before. Calls of the member itself are found by a mark of its own. Calls are thus not counted, which would cost
   *     each call.
   *   - a message that was not received: the mark has the number of messages sent.
   *   - a collective of which a member has not been part: the mark has the number of collectives.
   *
   * A member in a step may wait for a member that holds its requests. A call is found as above. A collective or a receive asks
   * the other for its position while it waits; when it has asked twice, the checkpoint fails.
   *
   * Nothing is written before all members are ready, so the images of a generation that are in a store belong to a
   * consistent cut, and a generation counts if it has all of them. Member 0 alone numbers generations, and deletes them, one
   * checkpoint after the other. A store is read for that only when an image is to be written.
   *
   * A failure is told to the caller and to member 0, and each of them releases all members. A member that is visited after
   * that answers at once. The loss of a member fails the checkpoint at each member that knows of it.
   */

  private static final int MOST_ENDED = 100;
  private static final int SPARE_BYTES = 1024; // for a somewhat larger image

  static final long MARK = 0; // messages sent, collectives
  static final long READY = 1;
  static final long FAILED = 2;
  static final long WRITE = 3; // generation, series
  static final long ABANDON = 4;
  static final long STABLE = 5;

  private final Communicator communicator;
  private final @Nullable CheckpointCoordinator coordinator; // of member 0
  private volatile int lastBytes; // of an image

  // guarded by this
  private final Map<Key, MemberCheckpoint> open = new HashMap<>();
  private final Set<Key> ended = new LinkedHashSet<>(); // the oldest first

  MemberCheckpoints(Communicator communicator) {
    this.communicator = communicator;
    this.coordinator = communicator.rank() == 0 ? new CheckpointCoordinator(communicator) : null;
  }

  /** Lets the checkpoints of this group continue those of the group that it was restored from. */
  void continues(Key series) {
    if (coordinator != null) {
      coordinator.continues(series);
    }
  }

  /** Returns the size that the next image will probably have; 0 if it is unknown. */
  int expectedBytes() {
    return lastBytes;
  }

  /** Records the size of an image. */
  void expects(int bytes) {
    lastBytes = Math.max(bytes, bytes + SPARE_BYTES); // not beyond an int
  }

  /** Returns a checkpoint that has not ended at this member; {@code null} if it has. */
  private synchronized @Nullable MemberCheckpoint checkpoint(Key key) {
    return ended.contains(key)
        ? null
        : open.computeIfAbsent(key, _ -> new MemberCheckpoint(this, communicator, key));
  }

  private synchronized List<MemberCheckpoint> open() {
    return List.copyOf(open.values());
  }

  /** Forgets a checkpoint. */
  synchronized void ended(Key key) {
    open.remove(key);
    ended.add(key);
    if (ended.size() > MOST_ENDED) {
      ended.remove(ended.iterator().next());
    }
  }

  /** Begins this member's part in its turn; returns the answer to the caller. */
  Object begin(CheckpointVisit visit, Ref<?> self) {
    var its = checkpoint(visit.key());
    return its == null ? (Object) MemberCheckpoint.ABANDONED : its.begin(visit, self);
  }

  /** Takes a notice of a member. Called on threads that must neither block nor run user code. */
  void received(int from, long[] notice) {
    if (notice.length < 3) {
      return; // not from a member of this version
    }
    var key = new Key(notice[1], notice[2]);
    var kind = notice[0];
    if (kind == READY || kind == FAILED || kind == STABLE) {
      if (coordinator != null) {
        coordinator.received(key, from, kind, checkpoint(key));
      }
      return;
    }
    var its = checkpoint(key);
    if (its == null) {
      return;
    }
    if (kind == MARK && notice.length == 5) {
      its.mark(from, notice[3], notice[4]);
      failOthers(from, key);
    } else if (kind == WRITE && notice.length == 6 && from == 0) {
      its.write(notice[3], new Key(notice[4], notice[5]));
    } else if (kind == ABANDON) {
      its.abandon();
    }
  }

  /** Fails the checkpoints that wait for a member which is in another one. */
  private void failOthers(int from, Key key) {
    for (var each : open()) {
      if (!each.key().equals(key) && each.awaits(from)) {
        each.failAside(
            communicator.describe(from)
                + " is in another checkpoint of the group, and each waits for the other; make one"
                + " after the other");
      }
    }
  }

  /** Sends a notice to a member, which may be this one. */
  void send(int to, long... notice) {
    if (to == communicator.rank()) {
      received(to, notice);
    } else {
      communicator.sendOfCheckpoint(to, notice);
    }
  }

  /** Releases this member from a checkpoint that has failed at another. */
  void abandon(Key key) {
    var its = checkpoint(key);
    if (its != null) {
      its.abandon();
    }
  }

  /** Records that a member in a step waits for this one. */
  void awaitedBy(int rank) {
    for (var each : open()) {
      each.awaitedBy(rank);
    }
  }

  /** Fails all checkpoints after the loss of a member. */
  void lost(int rank, String why) {
    List<MemberCheckpoint> all = new ArrayList<>(open());
    for (var each : all) {
      each.failAside(communicator.describe(rank) + " is lost (" + why + ")");
    }
    if (coordinator != null) {
      coordinator.lost();
    }
  }
}
