package org.troupe.mpj.comm;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.BoardMembers;
import org.troupe.mpj.matching.RankNetwork;

/** The memory that the members of a communicator share, if all of them are on one host. */
final class CommunicatorBoard {

  /*
   * Design: offer and answers
   *
   * The first member creates a board in its third collective, as many communicators see only the collectives that make
   * and free them; that of all ranks is created in Init, for its messages. Others open the board when the offer arrives,
   * and answer; the offer ends with the last answer. If one cannot open it, because it is on another host, or its links
   * may not use shared memory, it refuses, and the collectives of the communicator never use the board. Messages of those
   * that have opened it need no common decision.
   */
  private static final long OFFERED_IN = 3;
  private static final String REFUSED = "";
  private static final String OPENED = "opened";

  private final Communicator communicator;
  private final AtomicBoolean isOffered = new AtomicBoolean(); // or cannot be
  private final BitSet answered = new BitSet(); // guarded by itself
  private volatile @Nullable Board board;
  private volatile boolean isRefused;

  CommunicatorBoard(Communicator communicator) {
    this.communicator = communicator;
  }

  private RankNetwork network() {
    return communicator.engine().network();
  }

  private int rank() {
    return communicator.ownRank();
  }

  private int size() {
    return communicator.ownGroup().size();
  }

  /** Offers a board, if this is the first member, and the others may be in other JVMs. */
  void offer() {
    if (rank() != 0 || !isOffered.compareAndSet(false, true)) {
      return;
    }
    var isAnyAfar = false;
    for (var i = 1; i < size(); i++) {
      isAnyAfar |= network().near(communicator.ofRun(i)) == null;
    }
    if (!isAnyAfar || size() > Board.MOST_MEMBERS) {
      return;
    }
    var made = Board.open(network()::createMemory, BoardMembers.ofAll(size(), 0));
    if (made == null) {
      return;
    }
    use(made);
    var details = new String(made.details(), StandardCharsets.ISO_8859_1);
    for (var i = 1; i < size(); i++) {
      tell(i, details);
    }
  }

  private void use(Board made) {
    board = made;
    if (communicator.isOfAll()) {
      communicator.engine().use(made.messages());
    }
  }

  private void tell(int member, String words) {
    communicator
        .engine()
        .notify(
            communicator.ofRun(member),
            World.BOARD,
            Integer.toString(communicator.context()),
            words);
  }

  /** Takes an offer, or the answer to one; on a reader of a link. */
  void received(int from, String words) {
    if (rank() != 0) {
      if (from == communicator.ofRun(0) && board == null) {
        open(words);
      }
      return;
    }
    isRefused |= words.equals(REFUSED);
    synchronized (answered) {
      answered.set(from);
      if (answered.cardinality() < size() - 1) {
        return;
      }
    }
    close();
  }

  private void open(String details) {
    var made =
        Board.open(
            bytes -> network().openMemory(details.getBytes(StandardCharsets.ISO_8859_1), bytes),
            BoardMembers.ofAll(size(), rank()));
    if (made != null) {
      use(made);
    }
    tell(0, made == null ? REFUSED : OPENED);
  }

  /** Ends the offer; the board remains in use. */
  void close() {
    var its = board;
    if (its != null) {
      its.closeToOthers();
    }
  }

  /**
   * Begins a collective.
   *
   * @param number from 1 on, the same at all members
   * @return the board, if this collective goes over it
   */
  @Nullable Board begin(long number, long tag, Runnable check) {
    if (number >= OFFERED_IN) {
      offer();
    }
    var its = board;
    return its != null && !isRefused && its.begin(number, tag, check) ? its : null;
  }

  /** Ends a collective, successfully or not. */
  void end(long number) {
    var its = board;
    if (its != null && !isRefused) {
      its.end(number);
    }
  }
}
