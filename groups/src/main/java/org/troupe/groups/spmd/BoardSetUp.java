package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;

/** The set-up of a group's board: member 0 creates it, and the others open it. */
final class BoardSetUp {

  /*
   * Member 0 offers a board in its second collective, barrier or point-to-point message, as many groups run only
   * one. The others open it when the offer arrives, and confirm it, so that the offer ends even if
   * they run no further collective. If one cannot open the board, because it is on another host or
   * its links may not use shared memory, it refuses, and the group never uses the board for
   * collectives. Barriers and messages need no common decision.
   */
  private static final long OFFERED_IN = 2;

  private static final byte[] CONFIRMATION = {};

  private final Communicator communicator;
  private volatile @Nullable Board board;
  private volatile boolean isRefused; // by another member
  private final AtomicBoolean isOffered = new AtomicBoolean(); // or cannot be
  private final BitSet confirmed = new BitSet(); // guarded by itself

  BoardSetUp(Communicator communicator) {
    this.communicator = communicator;
  }

  /**
   * Receives an offer of member 0, or another member's answer; on a thread that must not block.
   *
   * @param details the data of the board; {@code null} if the member cannot open it
   */
  void received(int from, byte @Nullable [] details) {
    if (communicator.rank() != 0) {
      if (from == 0 && details != null && board == null) {
        open(details);
      }
      return;
    }
    if (details == null) {
      isRefused = true;
    }
    synchronized (confirmed) {
      confirmed.set(from);
      if (!isRefused && confirmed.cardinality() < communicator.size() - 1) {
        return;
      }
    }
    closeOffer();
  }

  private void open(byte[] details) {
    var own = communicator.ref(communicator.rank());
    board =
        Board.open(
            bytes -> Collectives.current().openMemory(own, details, bytes),
            BoardMembers.ofAll(communicator.size(), communicator.rank()));
    communicator.sendBoard(0, board == null ? null : CONFIRMATION);
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
    if (communicator.rank() == 0 && number >= OFFERED_IN && isOffered.compareAndSet(false, true)) {
      offer();
    }
  }

  private void offer() {
    if (!isSuitable()) {
      return;
    }
    var its =
        Board.open(
            bytes -> Collectives.current().createMemory(bytes),
            BoardMembers.ofAll(communicator.size(), 0));
    if (its == null) {
      return;
    }
    board = its;
    for (var each = 1; each < communicator.size(); each++) {
      communicator.sendBoard(each, its.details());
    }
    if (communicator.isAnyLost()) {
      closeOffer();
    }
  }

  /** Returns whether the members may be in several JVMs of one host, and few enough. */
  private boolean isSuitable() {
    return communicator.size() <= Board.MOST_MEMBERS
        && communicator.byCluster().length == 1
        && Arrays.stream(communicator.nodes()).distinct().count() > 1;
  }

  /** Ends a collective, successfully or not. */
  void end(long number) {
    var its = board;
    if (its != null) {
      its.end(number);
    }
  }
}
