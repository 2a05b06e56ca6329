package org.troupe.groups.spmd;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;

/** The set-up of a host's board: the first member there creates it, and the others open it. */
final class BoardSetUp {

  /*
   * The members of each host have a board of their own; one without a board uses messages, which others do not
   * notice. The first member of a host offers the board in its second collective, barrier or point-to-point message,
   * as many groups run only one. The others open it when the offer arrives, and confirm it, so that the offer ends even
   * if they run no further collective. If one cannot open the board, because it is on another host of the same name or
   * its links may not use shared memory, it refuses, and the members of the host never use the board for
   * collectives. Barriers and messages need no common decision.
   */
  private static final long OFFERED_IN = 2;

  private static final byte[] CONFIRMATION = {};

  private final Communicator communicator;
  private final @Nullable BoardMembers members; // null if they cannot share a board
  private volatile @Nullable Board board;
  private volatile boolean isRefused; // by another member
  private final AtomicBoolean isOffered = new AtomicBoolean(); // or cannot be
  private final BitSet confirmed = new BitSet(); // guarded by itself

  BoardSetUp(Communicator communicator) {
    this.communicator = communicator;
    this.members = members(communicator);
  }

  /** Returns the members on the host of this one; {@code null} if they cannot share a board. */
  private static @Nullable BoardMembers members(Communicator communicator) {
    var ranks =
        IntStream.range(0, communicator.size())
            .filter(communicator.hierarchy()::isOnHost)
            .toArray();
    return canShareBoard(ranks, communicator.nodes())
        ? new BoardMembers(ranks, communicator.rank())
        : null;
  }

  /**
   * Returns whether the members of a host can share a board: they are in several JVMs, and not too
   * many.
   *
   * @param ranks of these members
   * @param nodes of all members of the group, by rank
   */
  static boolean canShareBoard(int[] ranks, NodeId[] nodes) {
    var first = nodes[ranks[0]];
    return ranks.length <= Board.MOST_MEMBERS
        && !IntStream.of(ranks).allMatch(each -> nodes[each].equals(first));
  }

  /** Returns the members of the host; {@code null} if they cannot share a board. */
  @Nullable BoardMembers members() {
    return members;
  }

  /**
   * Receives an offer of the first member, or another member's answer; on a thread that must not
   * block.
   *
   * @param details the data of the board; {@code null} if the member cannot open it
   */
  void received(int from, byte @Nullable [] details) {
    if (members == null || !members.contains(from)) {
      return;
    }
    var first = members.rank(0);
    if (communicator.rank() != first) {
      if (from == first && details != null && board == null) {
        open(members, details);
      }
      return;
    }
    if (details == null) {
      isRefused = true;
    }
    synchronized (confirmed) {
      confirmed.set(from);
      if (!isRefused && confirmed.cardinality() < members.size() - 1) {
        return;
      }
    }
    closeOffer();
  }

  private void open(BoardMembers with, byte[] details) {
    var own = communicator.ref(communicator.rank());
    board = Board.open(bytes -> Collectives.current().openMemory(own, details, bytes), with);
    communicator.sendBoard(with.rank(0), board == null ? null : CONFIRMATION);
  }

  /** Ends the offer because a member is lost, so that all further collectives fail. */
  void lost() {
    closeOffer();
  }

  private void closeOffer() {
    var its = board;
    if (its != null) {
      its.closeToOthers();
    }
  }

  /**
   * Begins a collective.
   *
   * @return the board, if this collective goes over it
   */
  @Nullable Board begin(long number, long tag) {
    offerIfDue(number);
    var its = board;
    if (its == null) {
      return null;
    }
    if (isRefused) {
      board = null;
      return null;
    }
    if (!its.begin(number, tag, () -> communicator.checkLost(() -> "a collective operation"))) {
      return null;
    }
    // On a virtual thread the waits would not give up the processor to the members in other JVMs.
    Collectives.current().waitsInStep(communicator.ref(communicator.rank()));
    return its;
  }

  /**
   * Returns the board for a use that needs no common start, or {@code null}.
   *
   * @param number how often this member has reached a barrier, or has used point-to-point messages
   */
  @Nullable Board board(long number) {
    offerIfDue(number);
    return isRefused ? null : board;
  }

  private void offerIfDue(long number) {
    if (members != null
        && members.rank(0) == communicator.rank()
        && number >= OFFERED_IN
        && isOffered.compareAndSet(false, true)) {
      offer(members);
    }
  }

  private void offer(BoardMembers to) {
    var its = Board.open(bytes -> Collectives.current().createMemory(bytes), to);
    if (its == null) {
      return;
    }
    board = its;
    for (var i = 1; i < to.size(); i++) {
      communicator.sendBoard(to.rank(i), its.details());
    }
    if (communicator.isAnyLost()) {
      closeOffer();
    }
  }

  /** Ends a collective, successfully or not. */
  void end(long number) {
    var its = board;
    if (its != null) {
      its.end(number);
    }
  }
}
