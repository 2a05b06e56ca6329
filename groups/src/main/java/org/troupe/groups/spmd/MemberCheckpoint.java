package org.troupe.groups.spmd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.checkpoint.Generation;

/**
 * One member's part in one checkpoint of its group; {@link MemberCheckpoints} has the protocol.
 * Thread-safe.
 */
final class MemberCheckpoint implements RequestGate.Gate {

  /** The answer of a member that has released a checkpoint which failed elsewhere. */
  static final long ABANDONED = -1;

  private static final int MOST_QUESTIONS = 1; // the first may have crossed a message

  private final MemberCheckpoints checkpoints;
  private final Communicator communicator;
  private final Key key;
  private final CompletableFuture<Object> answer = new CompletableFuture<>();
  private final Set<Integer> passed = ConcurrentHashMap.newKeySet(); // whose marks have run
  private final Map<Integer, Integer> questions = new ConcurrentHashMap<>(); // by rank
  private volatile boolean isDecided; // whether the images belong together
  private volatile boolean isImaged;

  // Guarded by this
  private final Map<Integer, Mark> marks = new ConcurrentHashMap<>(); // also read without the lock
  private @Nullable CheckpointVisit visit;
  private @Nullable Ref<?> self;
  private @Nullable RequestGate gate;
  private @Nullable ByteBuffer image; // until it is stable, or not needed
  private long[] taken = {}; // messages, by rank, at the image
  private long collectives; // at the image
  private @Nullable ObjectImages images;
  private boolean isAbandoned; // before the visit

  /** The statement of a member with its image. */
  private record Mark(long sent, long collectives) {}

  MemberCheckpoint(MemberCheckpoints checkpoints, Communicator communicator, Key key) {
    this.checkpoints = checkpoints;
    this.communicator = communicator;
    this.key = key;
  }

  static CollectiveException failure(String why) {
    return new CollectiveException("the checkpoint does not count: " + why);
  }

  Key key() {
    return key;
  }

  /** Begins in the turn of the member, on the thread that serves it. */
  Object begin(CheckpointVisit its, Ref<?> object) {
    synchronized (this) {
      if (isAbandoned) {
        checkpoints.ended(key);
        return ABANDONED;
      }
      visit = its;
      self = object;
      images = Collectives.current().images();
      gate = Collectives.current().holdRequests(this);
    }
    if (communicator.isAnyLost()) {
      fail(communicator.describe(communicator.allLost()) + " is lost");
    } else {
      var all = List.<Ref<?>>of(refs());
      Collectives.current()
          .images()
          .image(object, all, checkpoints.expectedBytes())
          .whenComplete(this::imaged);
    }
    return answer;
  }

  private Ref<?>[] refs() {
    var refs = new Ref<?>[communicator.size()];
    Arrays.setAll(refs, communicator::ref);
    return refs;
  }

  // The cut

  private void imaged(@Nullable ByteBuffer made, @Nullable Throwable failure) {
    List<Integer> early;
    if (made != null) {
      checkpoints.expects(made.remaining());
    }
    synchronized (this) {
      image = made;
      taken = new long[communicator.size()];
      Arrays.setAll(taken, communicator.pointToPoint()::taken);
      collectives = communicator.collectives();
      isImaged = true;
      early = List.copyOf(marks.keySet());
    }
    for (var rank = 0; rank < communicator.size(); rank++) {
      if (rank != communicator.rank()) {
        checkpoints.send(
            rank,
            MemberCheckpoints.MARK,
            key.origin(),
            key.number(),
            communicator.pointToPoint().sent(rank),
            collectives);
      }
    }
    if (failure != null) {
      fail(String.valueOf(failure.getMessage()));
      return;
    }
    early.forEach(this::arrange);
    mark(communicator.rank(), communicator.pointToPoint().sent(communicator.rank()), collectives);
  }

  /** Takes the mark of a member, which is behind all that the member has sent. */
  void mark(int from, long sent, long itsCollectives) {
    boolean isNow;
    synchronized (this) {
      isNow = marks.putIfAbsent(from, new Mark(sent, itsCollectives)) == null && isImaged;
    }
    if (isNow) {
      arrange(from);
    }
  }

  /** Puts a mark into the queue of the member. */
  private void arrange(int from) {
    if (isDecided) {
      return;
    }
    Collectives.current()
        .runInTurn(
            communicator.ref(communicator.rank()),
            communicator.ref(from),
            () -> passes(from),
            () -> !passed.contains(from));
  }

  /** Compares numbers when no call of a member from before its mark is left. */
  private void passes(int from) {
    passed.add(from);
    var its = marks.get(from);
    if (its == null || isDecided) {
      return;
    }
    long taken;
    long ownCollectives;
    synchronized (this) {
      taken = this.taken[from];
      ownCollectives = collectives;
    }
    if (its.sent != taken) {
      fail(
          "member %d has taken %d messages of member %d, which had sent %d; checkpoint when members are between two steps"
              .formatted(communicator.rank(), taken, from, its.sent));
    } else if (its.collectives != ownCollectives) {
      fail(
          "member %d has been in %d collectives of the group, and member %d in %d; checkpoint when members are between two steps"
              .formatted(communicator.rank(), ownCollectives, from, its.collectives));
    } else if (passed.size() == communicator.size()) {
      ready();
    }
  }

  @Override
  public boolean admits(Request request) {
    for (var rank = 0; rank < communicator.size(); rank++) {
      if (!passed.contains(rank) && Collectives.current().isFrom(request, communicator.ref(rank))) {
        failAside(
            "member %d has not taken %s, which %s had called; checkpoint when members are between two steps"
                .formatted(
                    communicator.rank(),
                    request,
                    rank == communicator.rank() ? "it" : "member " + rank));
      }
    }
    return false;
  }

  /** Returns whether this member is in the checkpoint and waits for another. */
  boolean awaits(int rank) {
    return isImaged && !isDecided && !marks.containsKey(rank);
  }

  /** Records that a member in a step waits for a message of this one. */
  void awaitedBy(int rank) {
    if (awaits(rank) && questions.merge(rank, 1, Integer::sum) > MOST_QUESTIONS) {
      failAside(
          "member %d waits in a step for member %d, which holds its requests for the checkpoint; checkpoint when members are between two steps"
              .formatted(rank, communicator.rank()));
    }
  }

  /** Fails the checkpoint from a thread that must not block, or holds locks. */
  void failAside(String why) {
    if (!answer.isDone()) {
      Thread.startVirtualThread(() -> fail(why));
    }
  }

  private void fail(String why) {
    if (answer.completeExceptionally(failure(why))) { // first: the others may be released at once
      release();
      checkpoints.send(0, MemberCheckpoints.FAILED, key.origin(), key.number());
      end();
    }
  }

  private void ready() {
    if (release()) {
      checkpoints.send(0, MemberCheckpoints.READY, key.origin(), key.number());
    }
  }

  /** Lets the member serve on; returns whether it had not been decided before. */
  private boolean release() {
    RequestGate its;
    synchronized (this) {
      if (isDecided) {
        return false;
      }
      isDecided = true;
      its = gate;
      gate = null;
    }
    if (its != null) {
      its.release();
    }
    return true;
  }

  /** Releases the member from a checkpoint that has failed elsewhere. */
  void abandon() {
    synchronized (this) {
      isAbandoned = true;
      if (visit == null) {
        return; // the visit will find it so
      }
    }
    release();
    end();
    answer.complete(ABANDONED);
  }

  /** Returns whether the checkpoint has failed before this member was visited. */
  synchronized boolean isAbandoned() {
    return isAbandoned;
  }

  private void end() {
    synchronized (this) {
      image = null;
    }
    checkpoints.ended(key);
  }

  // The images

  /** Writes the image. */
  void write(long number, Key series) {
    Thread.startVirtualThread(() -> writeNow(number, series));
  }

  private void writeNow(long number, Key series) {
    ByteBuffer content;
    CheckpointVisit its;
    ObjectImages by;
    synchronized (this) {
      content = image;
      its = visit;
      by = images;
    }
    if (content == null || its == null || by == null) {
      return; // released meanwhile
    }
    try {
      by.write(its.store(), generation(number, series).image(communicator.rank()), content);
    } catch (IOException | RuntimeException failure) {
      fail("the image of member " + communicator.rank() + ": " + failure.getMessage());
      return;
    }
    checkpoints.send(0, MemberCheckpoints.STABLE, key.origin(), key.number());
    if (communicator.rank() != 0) {
      end();
      answer.complete(number);
    }
  }

  /** Returns a generation of this group. */
  Generation generation(long number, Key series) {
    CheckpointVisit its;
    synchronized (this) {
      its = visit;
    }
    return new Generation(
        Generation.typeInNames(its == null ? "" : its.type()), series, number, communicator.size());
  }

  // Member 0, as coordinator

  /** Returns the request of the checkpoint; {@code null} before this member was visited. */
  synchronized @Nullable CheckpointVisit visit() {
    return visit;
  }

  /** Returns the images of the node; {@code null} before this member was visited. */
  synchronized @Nullable ObjectImages images() {
    return images;
  }

  /** Answers the caller when all images are stable. */
  void complete(long number) {
    end();
    answer.complete(number);
  }
}
