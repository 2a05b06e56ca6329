package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;

/** Collectives on numbers whose data goes over the group's board, if it has one. */
final class BoardCollectives {

  /*
   * Paths
   *
   * A broadcast is one write and a read of each other member. In an all-reduce, each member writes its numbers,
   * combines its share of all, and reads the shares of the others. Data larger than a slot goes through the area of
   * its owner, piece by piece, so that the pieces are still in the cache when the others read them.
   *
   * Contributors
   *
   * A member that only contributes, such as the root of a broadcast, must not wait for members that have not called
   * the collective. If its slot is not free, or not all members begin a large operation soon, it sends messages
   * instead, directly to the readers, which look for both.
   */

  /** The size of the pieces of a large broadcast. */
  private static final int PIECE_BYTES = 128 << 10;

  private static final int PIECES = 2 * Board.HALF_BYTES / PIECE_BYTES;

  /** An array up to this size, times the members, is combined by each member itself. */
  private static final int MOST_COMBINED_BY_ALL = 64 << 10;

  /** How long a contributor waits for the others to begin before it sends messages. */
  private static final long PATIENCE_NANOS = 20_000_000;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private BoardCollectives() {}

  // Broadcast

  static void broadcast(CollectiveOperation c, int root, Slice<?> slice) {
    var board = c.boardForData();
    if (board == null) {
      ArrayCollectives.broadcast(c, root, slice);
    } else if (c.rank() == root) {
      broadcast(c, board, slice);
    } else {
      receiveBroadcast(c, board, root, slice);
    }
  }

  private static void broadcast(CollectiveOperation c, Board board, Slice<?> slice) {
    var bytes = SliceArrays.bytes(slice);
    var isSmall = bytes <= Board.SLOT_BYTES;
    if (!(isSmall ? board.isSlotFree(c.serial()) : areAllThere(c, board))) {
      for (var each = 0; each < c.size(); each++) {
        if (each != c.rank()) {
          c.sendZeroCopy(each, slice);
        }
      }
      return;
    }
    c.giveOnBoard(bytes);
    if (isSmall) {
      MemorySegment.copy(
          SliceArrays.segment(slice), 0, board.content(c.rank(), c.serial()), 0, bytes);
      board.publishSlot(c.serial(), c.tag(), slice.length());
      return;
    }
    board.publishSlot(c.serial(), c.tag(), slice.length());
    var area = board.wholeArea(c.rank());
    var from = SliceArrays.segment(slice);
    var count = pieces(bytes);
    for (var i = 0; i < count; i++) {
      var taken = i - PIECES + 1;
      c.awaitOnBoard(each -> each == c.rank() || board.taken(each, c.serial()) >= taken);
      copyPiece(from, (long) i * PIECE_BYTES, area, i % PIECES * (long) PIECE_BYTES, bytes, i);
      board.publish(c.serial(), i + 1);
    }
  }

  private static void receiveBroadcast(
      CollectiveOperation c, Board board, int root, Slice<?> slice) {
    var message = c.awaitOnBoardOrMessage(root, () -> board.hasSlot(root, c.serial()));
    if (message != null) {
      c.fill(slice, message);
      return;
    }
    checkSlot(c, board, root, slice.length());
    var bytes = SliceArrays.bytes(slice);
    var into = SliceArrays.segment(slice);
    if (bytes <= Board.SLOT_BYTES) {
      MemorySegment.copy(board.content(root, c.serial()), 0, into, 0, bytes);
      return;
    }
    var area = board.wholeArea(root);
    var count = pieces(bytes);
    for (var i = 0; i < count; i++) {
      var needed = i + 1;
      c.awaitOnBoard(each -> each != root || board.published(root, c.serial()) >= needed);
      copyPiece(area, i % PIECES * (long) PIECE_BYTES, into, (long) i * PIECE_BYTES, bytes, i);
      board.take(c.serial(), needed);
    }
  }

  private static int pieces(long bytes) {
    return (int) ((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  private static void copyPiece(
      MemorySegment from, long start, MemorySegment into, long at, long bytes, int piece) {
    var count = Math.min(PIECE_BYTES, bytes - (long) piece * PIECE_BYTES);
    MemorySegment.copy(from, start, into, at, count);
  }

  /** Returns whether all members begin the operation soon, so that their areas are free. */
  private static boolean areAllThere(CollectiveOperation c, Board board) {
    return c.awaitOnBoard(() -> board.haveAllBegun(c.serial()), PATIENCE_NANOS);
  }

  private static void checkSlot(CollectiveOperation c, Board board, int member, long length) {
    var tag = board.slotTag(member, c.serial());
    if (tag != c.tag()) {
      throw new CollectiveException(c.mismatch(member, tag));
    }
    c.checkLength(member, (int) board.slotLength(member, c.serial()), (int) length);
  }

  // Reductions of arrays

  static void allReduce(CollectiveOperation c, Slice<?> slice, Operation by) {
    var board = c.boardForData();
    if (board == null) {
      ArrayCollectives.allReduce(c, slice, by);
      return;
    }
    var bytes = SliceArrays.bytes(slice);
    var order = c.communicator().orders().ofAllReduce(bytes);
    var isCombinedByAll = bytes <= Board.SLOT_BYTES && c.size() * bytes <= MOST_COMBINED_BY_ALL;
    awaitSlot(c, board);
    c.giveOnBoard(bytes);
    if (isCombinedByAll) {
      MemorySegment.copy(
          SliceArrays.segment(slice), 0, board.content(c.rank(), c.serial()), 0, bytes);
    }
    board.publishSlot(c.serial(), c.tag(), slice.length());
    c.awaitOnBoard(each -> board.hasSlot(each, c.serial()));
    for (var each = 0; each < c.size(); each++) {
      checkSlot(c, board, each, slice.length());
    }
    if (isCombinedByAll) {
      var terms = new ArrayTerms(slice);
      terms.read(each -> board.content(each, c.serial()), 0);
      terms.combine(by, order, 0, slice.length(), null);
    } else {
      reduceByShares(c, board, slice, by, order);
    }
  }

  private static void awaitSlot(CollectiveOperation c, Board board) {
    if (!board.isSlotFree(c.serial())) {
      c.awaitOnBoard(each -> board.hasBegun(each, c.serial()));
    }
  }

  /**
   * Combines in rounds of half an area. In each round a member writes its numbers, except its own
   * share; combines its share of all; writes it; and reads the shares of the others.
   */
  private static void reduceByShares(
      CollectiveOperation c, Board board, Slice<?> slice, Operation by, ReductionOrder order) {
    var elementBytes = (int) (SliceArrays.bytes(slice) / slice.length());
    var most = Board.HALF_BYTES / elementBytes;
    var own = SliceArrays.segment(slice);
    var terms = new ArrayTerms(slice);
    var steps = 0;
    for (int start = 0, round = 0; start < slice.length(); start += most, round++) {
      var part = slice.from(start, Math.min(most, slice.length() - start));
      var share = part.block(c.rank(), c.size());
      var from = share.offset() - slice.offset();
      var partBytes = (long) part.length() * elementBytes;
      var shareAt = (long) (from - start) * elementBytes;
      var shareBytes = (long) share.length() * elementBytes;
      var half = board.half(c.rank(), round);
      var at = (long) start * elementBytes;
      MemorySegment.copy(own, at, half, 0, shareAt);
      MemorySegment.copy(
          own,
          at + shareAt + shareBytes,
          half,
          shareAt + shareBytes,
          partBytes - shareAt - shareBytes);
      var isWritten = ++steps;
      board.publish(c.serial(), isWritten);
      c.awaitOnBoard(each -> board.published(each, c.serial()) >= isWritten);

      var index = round;
      terms.read(each -> each == c.rank() ? null : board.half(each, index), start);
      terms.combine(by, order, from, share.length(), half);
      var isCombined = ++steps;
      board.publish(c.serial(), isCombined);
      c.awaitOnBoard(each -> board.published(each, c.serial()) >= isCombined);

      for (var i = 1; i < c.size(); i++) {
        var each = (c.rank() + i) % c.size();
        var other = part.block(each, c.size());
        var its = (long) (other.offset() - slice.offset()) * elementBytes;
        MemorySegment.copy(
            board.half(each, round), its - at, own, its, (long) other.length() * elementBytes);
      }
    }
  }

  static void reduce(CollectiveOperation c, int root, Slice<?> slice, Operation by) {
    var board = c.boardForData();
    if (board == null) {
      ArrayCollectives.reduce(c, root, slice, by);
    } else if (c.rank() != root) {
      contribute(c, board, root, slice);
    } else {
      reduce(c, board, slice, by);
    }
  }

  private static void contribute(CollectiveOperation c, Board board, int root, Slice<?> slice) {
    var bytes = SliceArrays.bytes(slice);
    var isSmall = bytes <= Board.SLOT_BYTES;
    if (!(isSmall ? board.isSlotFree(c.serial()) : areAllThere(c, board))) {
      c.sendZeroCopy(root, slice);
      return;
    }
    c.giveOnBoard(bytes);
    var from = SliceArrays.segment(slice);
    if (isSmall) {
      MemorySegment.copy(from, 0, board.content(c.rank(), c.serial()), 0, bytes);
      board.publishSlot(c.serial(), c.tag(), slice.length());
      return;
    }
    board.publishSlot(c.serial(), c.tag(), slice.length());
    for (var i = 0; (long) i * Board.HALF_BYTES < bytes; i++) {
      var taken = i - 1;
      c.awaitOnBoard(each -> each != root || board.taken(root, c.serial()) >= taken);
      var at = (long) i * Board.HALF_BYTES;
      MemorySegment.copy(
          from, at, board.half(c.rank(), i), 0, Math.min(Board.HALF_BYTES, bytes - at));
      board.publish(c.serial(), i + 1);
    }
  }

  private static void reduce(CollectiveOperation c, Board board, Slice<?> slice, Operation by) {
    var sent = new @Nullable MemorySegment[c.size()];
    for (var each = 0; each < c.size(); each++) {
      if (each != c.rank()) {
        sent[each] = receiveContribution(c, board, each, slice);
      }
    }
    var order = c.communicator().orders().ofReduce(c.rank());
    var terms = new ArrayTerms(slice);
    var bytes = SliceArrays.bytes(slice);
    if (bytes <= Board.SLOT_BYTES) {
      terms.read(
          each ->
              each == c.rank()
                  ? null
                  : sent[each] == null ? board.content(each, c.serial()) : sent[each],
          0);
      terms.combine(by, order, 0, slice.length(), null);
      return;
    }
    var most = Board.HALF_BYTES / (int) (bytes / slice.length());
    for (int start = 0, i = 0; start < slice.length(); start += most, i++) {
      var index = i;
      c.awaitOnBoard(
          each ->
              each == c.rank() || sent[each] != null || board.published(each, c.serial()) > index);
      var at = (long) i * Board.HALF_BYTES;
      terms.read(
          each ->
              each == c.rank()
                  ? null
                  : sent[each] == null
                      ? board.half(each, index)
                      : Objects.requireNonNull(sent[each]).asSlice(at),
          start);
      terms.combine(by, order, start, Math.min(most, slice.length() - start), null);
      board.take(c.serial(), i + 1);
    }
  }

  /**
   * Returns the numbers that a member has sent in a message; {@code null} if they are on the board.
   */
  private static @Nullable MemorySegment receiveContribution(
      CollectiveOperation c, Board board, int from, Slice<?> slice) {
    var message = c.awaitOnBoardOrMessage(from, () -> board.hasSlot(from, c.serial()));
    if (message == null) {
      checkSlot(c, board, from, slice.length());
      return null;
    }
    var array = SliceArrays.newArray(slice, slice.length());
    var copy = SliceArrays.wrap(slice, array);
    c.fill(copy, message);
    return SliceArrays.segment(copy);
  }

  // Reductions of single numbers

  static <N> N allReduce(CollectiveOperation c, N value, BinaryOperator<N> by) {
    var board = c.boardForData();
    if (board == null) {
      return ObjectCollectives.allReduce(c, value, by);
    }
    awaitSlot(c, board);
    publish(c, board, value);
    c.awaitOnBoard(each -> board.hasSlot(each, c.serial()));
    var order = c.communicator().orders().ofAllReducedNumbers();
    return sum(order.sumAt(0, 1), by, each -> number(c, board, each));
  }

  static <N> @Nullable N reduce(CollectiveOperation c, int root, N value, BinaryOperator<N> by) {
    var board = c.boardForData();
    if (board == null) {
      return ObjectCollectives.reduce(c, root, value, by);
    }
    if (c.rank() != root) {
      if (board.isSlotFree(c.serial())) {
        publish(c, board, value);
      } else {
        c.send(root, value);
      }
      return null;
    }
    return sum(
        c.communicator().orders().ofReducedNumbers().sumAt(0, 1),
        by,
        each -> each == root ? value : receiveNumber(c, board, each));
  }

  @SuppressWarnings("unchecked") // all members give numbers of one type, which the operator checks
  private static <N> N receiveNumber(CollectiveOperation c, Board board, int from) {
    var message = c.awaitOnBoardOrMessage(from, () -> board.hasSlot(from, c.serial()));
    return message == null
        ? number(c, board, from)
        : (N) Objects.requireNonNull(message.packet().value(), "a number is not null");
  }

  private static void publish(CollectiveOperation c, Board board, Object number) {
    c.giveOnBoard(Long.BYTES);
    var content = board.content(c.rank(), c.serial());
    content.set(
        LONG,
        0,
        switch (number) {
          case Double real -> Double.doubleToRawLongBits(real);
          case Number whole -> whole.longValue();
          default -> throw new AssertionError(number.getClass());
        });
    board.publishSlot(
        c.serial(), c.tag(), number instanceof Double ? 0 : number instanceof Long ? 1 : 2);
  }

  @SuppressWarnings("unchecked") // all members give numbers of one type, which the operator checks
  private static <N> N number(CollectiveOperation c, Board board, int from) {
    var tag = board.slotTag(from, c.serial());
    if (tag != c.tag()) {
      throw new CollectiveException(c.mismatch(from, tag));
    }
    var bits = board.content(from, c.serial()).get(LONG, 0);
    return (N)
        switch ((int) board.slotLength(from, c.serial())) {
          case 0 -> (Object) Double.longBitsToDouble(bits);
          case 1 -> (Object) bits;
          default -> (Object) (int) bits;
        };
  }

  /** The numbers of the members, by rank. */
  private interface Numbers<N> {
    N of(int rank);
  }

  private static <N> N sum(ReductionOrder.Sum sum, BinaryOperator<N> by, Numbers<N> numbers) {
    return switch (sum) {
      case ReductionOrder.Term(int rank) -> numbers.of(rank);
      case ReductionOrder.Pair(var one, var other) ->
          by.apply(sum(one, by, numbers), sum(other, by, numbers));
    };
  }
}
