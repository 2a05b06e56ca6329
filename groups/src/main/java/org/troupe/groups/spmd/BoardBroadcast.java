package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;

/**
 * The broadcast of a slice among the members of a host over their board: one write of the leader,
 * which is the root or has received the slice, and a read of each other member. Used by one thread.
 */
final class BoardBroadcast {

  /** The size of the pieces of a large broadcast. */
  private static final int PIECE_BYTES = 128 << 10;

  private static final int PIECES = 2 * Board.HALF_BYTES / PIECE_BYTES;

  private final CollectiveOperation c;
  private final Board board;
  private final Slice<?> slice;
  private final MemorySegment numbers;
  private final long bytes;

  // At the leader
  private boolean hasBegun;
  private boolean isOnBoard; // else the slice goes by messages
  private int written; // pieces

  BoardBroadcast(CollectiveOperation c, Board board, Slice<?> slice) {
    this.c = c;
    this.board = board;
    this.slice = slice;
    this.numbers = SliceArrays.segment(slice);
    this.bytes = SliceArrays.bytes(slice);
  }

  private boolean isSmall() {
    return bytes <= Board.SLOT_BYTES;
  }

  // The leader

  /** Sends the slice to the leaders of other hosts, or receives it, and then to this host. */
  void lead(int root) {
    ArrayCollectives.broadcast(
        c, c.communicator().hierarchy().levelsOfHosts(root), slice, this::arrived);
    if (isOnBoard) {
      return;
    }
    for (var i = 0; i < board.members().size(); i++) {
      var each = board.members().rank(i);
      if (each != c.rank()) {
        c.sendZeroCopy(each, slice);
      }
    }
  }

  /** Writes what the leader has of the slice, up to the end of a chunk. */
  private void arrived(Slice<?> chunk) {
    if (!hasBegun) {
      hasBegun = true;
      begin();
    }
    if (!isOnBoard || isSmall()) {
      return;
    }
    var area = board.wholeArea(c.rank());
    var end = slice.from(0, chunk.offset() - slice.offset() + chunk.length());
    var arrived = SliceArrays.bytes(end);
    for (; written < pieces() && endOfPiece(written) <= arrived; written++) {
      var taken = written - PIECES + 1;
      c.awaitOnBoard(each -> each == c.rank() || board.taken(each, c.serial()) >= taken);
      copyPiece(numbers, written, area, written % PIECES, written);
      board.publish(c.serial(), written + 1);
    }
  }

  /** Decides the path, when the first chunk is there: its sender may be later than all others. */
  private void begin() {
    isOnBoard = isSmall() ? board.isSlotFree(c.serial()) : BoardCollectives.areAllThere(c, board);
    if (!isOnBoard) {
      return;
    }
    c.giveOnBoard(bytes);
    if (isSmall()) {
      MemorySegment.copy(numbers, 0, board.content(c.rank(), c.serial()), 0, bytes);
    }
    board.publishSlot(c.serial(), c.tag(), slice.length());
  }

  // Readers

  /** Receives the slice from the leader of this host. */
  void receive(int leader) {
    var message = c.awaitOnBoardOrMessage(leader, () -> board.hasSlot(leader, c.serial()));
    if (message != null) {
      c.fill(slice, message);
      return;
    }
    BoardCollectives.checkSlot(c, board, leader, slice.length());
    if (isSmall()) {
      MemorySegment.copy(board.content(leader, c.serial()), 0, numbers, 0, bytes);
      return;
    }
    var area = board.wholeArea(leader);
    for (var i = 0; i < pieces(); i++) {
      var needed = i + 1;
      c.awaitOnBoard(each -> each != leader || board.published(leader, c.serial()) >= needed);
      copyPiece(area, i % PIECES, numbers, i, i);
      board.take(c.serial(), needed);
    }
  }

  // Pieces

  private int pieces() {
    return (int) ((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  private long endOfPiece(int piece) {
    return Math.min(bytes, (piece + 1L) * PIECE_BYTES);
  }

  /** Copies a piece between two places, which are counted in pieces. */
  private void copyPiece(MemorySegment from, int start, MemorySegment into, int at, int piece) {
    MemorySegment.copy(
        from,
        (long) start * PIECE_BYTES,
        into,
        (long) at * PIECE_BYTES,
        endOfPiece(piece) - (long) piece * PIECE_BYTES);
  }
}
