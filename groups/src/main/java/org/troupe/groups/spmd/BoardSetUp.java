package org.troupe.groups.spmd;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.groups.board.Board;

/** The set-up of a group's board: member 0 creates it, and the others open it. */
final class BoardSetUp {

  /*
   * Member 0 offers a board in its second collective, as many groups run only one. The others open it when
   * they begin a collective. If one cannot, because it is on another host or its links may not use shared
   * memory, it refuses, and the group never uses the board.
   */
  private static final long OFFERED_IN = 2;

  private final Communicator communicator;
  private @Nullable Board board; // accessed only by the thread that runs a collective
  private boolean isImpossible; // likewise
  private volatile byte @Nullable [] offer; // to this member
  private volatile boolean isRefused; // by another member

  BoardSetUp(Communicator communicator) {
    this.communicator = communicator;
  }

  /** Receives the data of a board, or {@code null} if another member cannot open it. */
  void received(byte @Nullable [] details) {
    if (details == null) {
      isRefused = true;
    } else {
      offer = details;
    }
  }

  /**
   * Begins a collective.
   *
   * @return the board, if this collective goes over it
   */
  @Nullable Board begin(long number, long tag) {
    if (isImpossible) {
      return null;
    }
    if (board == null && !isOpened(number)) {
      return null;
    }
    var its = board;
    if (its == null || isRefused) {
      if (its != null) {
        its.closeToOthers();
        board = null;
      }
      isImpossible = true;
      return null;
    }
    return its.begin(number, tag, () -> communicator.checkLost(() -> "a collective operation"))
        ? its
        : null;
  }

  /** Opens the board, if it is time to; returns whether this was tried. */
  private boolean isOpened(long number) {
    var rank = communicator.rank();
    if (rank > 0) {
      var details = offer;
      if (details == null) {
        return false;
      }
      board =
          Board.open(
              bytes -> Collectives.current().openMemory(details, bytes), rank, communicator.size());
      if (board == null) {
        communicator.sendBoard(0, null);
      }
      return true;
    }
    if (number < OFFERED_IN) {
      return false;
    }
    if (isSuitable()) {
      board =
          Board.open(bytes -> Collectives.current().createMemory(bytes), rank, communicator.size());
    }
    if (board != null) {
      for (var each = 1; each < communicator.size(); each++) {
        communicator.sendBoard(each, board.details());
      }
    }
    return true;
  }

  /** Returns whether the members may be in several JVMs of one host, and few enough. */
  private boolean isSuitable() {
    return communicator.size() <= Board.MOST_MEMBERS
        && communicator.byCluster().length == 1
        && Arrays.stream(communicator.nodes()).distinct().count() > 1;
  }

  /** Ends a collective, successfully or not. */
  void end(long number) {
    if (board != null) {
      board.end(number);
    }
  }
}
