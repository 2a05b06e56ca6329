package org.troupe.groups.spmd;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.groups.checkpoint.Generation;
import org.troupe.groups.checkpoint.StoredGenerations;

/**
 * Member 0 of a group, which numbers the generations of its checkpoints: one is written after the
 * other. Thread-safe.
 */
final class CheckpointCoordinator {

  private final Communicator communicator;

  // Guarded by this
  private final Map<Key, Tally> tallies = new HashMap<>();
  private final Deque<Tally> waiting = new ArrayDeque<>(); // for an earlier one
  private @Nullable Tally current; // whose images are being written
  private long lastNumber; // of a generation
  private Key series;

  /** How far the members are in one checkpoint. */
  private static final class Tally {
    private final Key key;
    private final MemberCheckpoint own;

    // Guarded by the coordinator
    private final BitSet ready = new BitSet();
    private final BitSet stable = new BitSet();
    private @Nullable Generation generation; // once it is being written
    private StoredGenerations former = StoredGenerations.NONE;

    Tally(Key key, MemberCheckpoint own) {
      this.key = key;
      this.own = own;
    }
  }

  CheckpointCoordinator(Communicator communicator) {
    this.communicator = communicator;
    this.series = communicator.key();
  }

  synchronized void continues(Key former) {
    series = former;
  }

  /**
   * Takes a notice of a member.
   *
   * @param own the checkpoint at member 0; {@code null} if it has ended there
   */
  void received(Key key, int from, long kind, @Nullable MemberCheckpoint own) {
    if (kind == MemberCheckpoints.FAILED) {
      abandon(key, own);
      return;
    }
    Tally begun = null;
    Tally written = null;
    synchronized (this) {
      if (own == null || own.isAbandoned()) {
        return; // it has failed
      }
      var tally = tallies.computeIfAbsent(key, _ -> new Tally(key, own));
      if (kind == MemberCheckpoints.READY) {
        tally.ready.set(from);
        if (tally.ready.cardinality() == communicator.size()) {
          waiting.add(tally);
          begun = next();
        }
      } else {
        tally.stable.set(from);
        written = tally.stable.cardinality() == communicator.size() ? tally : null;
      }
    }
    start(begun);
    if (written != null) {
      var its = written;
      Thread.startVirtualThread(() -> finish(its));
    }
  }

  /** Returns the checkpoint to be written now, if it is not yet; called with the lock. */
  private @Nullable Tally next() {
    if (current != null) {
      return null;
    }
    current = waiting.poll();
    return current;
  }

  private void start(@Nullable Tally tally) {
    if (tally != null) {
      Thread.startVirtualThread(() -> write(tally));
    }
  }

  private void write(Tally tally) {
    var visit = tally.own.visit();
    var images = tally.own.images();
    if (visit == null || images == null) {
      return; // never: member 0 is ready
    }
    Key its;
    synchronized (this) {
      its = series;
    }
    Generation generation;
    try {
      var former = StoredGenerations.of(visit.type(), images.names(visit.store()));
      for (var each : former.complete()) {
        if (!each.series().equals(its)) {
          throw new IOException(
              "the store %s has a checkpoint of another group of %s; restore that one, or give another store"
                  .formatted(visit.store(), visit.type()));
        }
      }
      synchronized (this) {
        // An image of a failed generation may still be on its way to the store.
        lastNumber = Math.max(lastNumber, former.last()) + 1;
        generation = tally.own.generation(lastNumber, its);
        tally.former = former;
        tally.generation = generation;
      }
    } catch (IOException | RuntimeException failure) {
      tally.own.failAside(String.valueOf(failure.getMessage()));
      return;
    }
    for (var rank = 0; rank < communicator.size(); rank++) {
      if (rank != 0) {
        communicator.sendOfCheckpoint(
            rank,
            MemberCheckpoints.WRITE,
            tally.key.origin(),
            tally.key.number(),
            generation.number(),
            its.origin(),
            its.number());
      }
    }
    tally.own.write(generation.number(), its);
  }

  /** Deletes the former generations, and answers the caller. */
  private void finish(Tally tally) {
    var visit = tally.own.visit();
    var images = tally.own.images();
    Generation generation;
    StoredGenerations former;
    synchronized (this) {
      generation = tally.generation;
      former = tally.former;
    }
    if (visit == null || images == null || generation == null) {
      return; // a notice that no member of this version sends
    }
    try {
      images.deleteReplaced(visit.store(), former.before(generation));
    } catch (IOException | RuntimeException failure) {
      System.getLogger("org.troupe.groups")
          .log(
              System.Logger.Level.WARNING,
              "former images of %s in %s could not be deleted: %s; the next checkpoint tries again"
                  .formatted(visit.type(), visit.store(), failure.getMessage()));
    }
    tally.own.complete(generation.number());
    ended(tally.key);
  }

  private void ended(Key key) {
    Tally begun;
    synchronized (this) {
      var tally = tallies.remove(key);
      waiting.remove(tally);
      if (tally != null && current == tally) {
        current = null;
      }
      begun = next();
    }
    start(begun);
  }

  /** Releases all members from a checkpoint. */
  private void abandon(Key key, @Nullable MemberCheckpoint own) {
    for (var rank = 1; rank < communicator.size(); rank++) {
      if (!communicator.isLost(rank)) {
        communicator.sendOfCheckpoint(rank, MemberCheckpoints.ABANDON, key.origin(), key.number());
      }
    }
    if (own != null) {
      own.abandon();
    }
    ended(key);
  }

  /** Gives up all checkpoints after the loss of a member. */
  void lost() {
    Key[] all;
    synchronized (this) {
      all = tallies.keySet().toArray(Key[]::new);
    }
    for (var each : all) {
      ended(each);
    }
  }
}
