package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;

/** Collectives on numbers whose data goes over the board of a host, if it has one. */
final class BoardCollectives {

  /*
   * Paths
   *
   * A broadcast is one write and a read of each other member. In an all-reduce, each member writes its numbers,
   * combines its share of all, and reads the shares of the others. Data larger than a slot goes through the area of
   * its owner, piece by piece, so that the pieces are still in the cache when the others read them.
   *
   * Hosts
   *
   * The board takes the place of the levels within the host. At the levels beyond it, the leader of the host exchanges
   * the messages of the same collective without a board, so the leaders of other hosts do not notice which path its
   * members use. Large slices go in chunks, which overlap except in a reduce to one root: the members of a host work on
   * one while another is under way between the hosts.
   *
   * Contributors
   *
   * A member that only contributes, such as the root of a broadcast, must not wait for members that have not called
   * the collective. If its slot is not free, or not all members begin a large operation soon, it sends messages
   * instead, directly to the readers, which look for both. The leader takes all numbers of its host from the board
   * before it waits for a leader of another host, as a contributor waits until its last chunks fit.
   */

  /** An array up to this size, times the members, is combined by each member itself. */
  private static final int MOST_COMBINED_BY_ALL = 64 << 10;

  /** How long a contributor waits for the others to begin before it sends messages. */
  private static final long PATIENCE_NANOS = 20_000_000;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private BoardCollectives() {}

  /**
   * Returns the leader of this host.
   *
   * @param root of the operation, which leads its own host; -1 if there is none
   */
  private static int leader(Board board, int root) {
    return board.members().contains(root) ? root : board.members().rank(0);
  }

  static void broadcast(CollectiveOperation c, int root, Slice<?> slice) {
    var board = c.boardForData();
    if (board == null) {
      ArrayCollectives.broadcast(c, root, slice);
      return;
    }
    var leader = leader(board, root);
    var part = new BoardBroadcast(c, board, slice);
    if (c.rank() == leader) {
      part.lead(root);
    } else {
      part.receive(leader);
    }
  }

  /** Returns whether all members begin the operation soon, so that their areas are free. */
  static boolean areAllThere(CollectiveOperation c, Board board) {
    return c.awaitOnBoard(() -> board.haveAllBegun(c.serial()), PATIENCE_NANOS);
  }

  static void checkSlot(CollectiveOperation c, Board board, int member, long length) {
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
    var members = board.members();
    var bytes = SliceArrays.bytes(slice);
    var isSmall = bytes <= Board.SLOT_BYTES && members.size() * bytes <= MOST_COMBINED_BY_ALL;
    awaitSlot(c, board);
    c.giveOnBoard(bytes);
    if (isSmall) {
      MemorySegment.copy(
          SliceArrays.segment(slice), 0, board.content(c.rank(), c.serial()), 0, bytes);
    }
    board.publishSlot(c.serial(), c.tag(), slice.length());
    c.awaitOnBoard(each -> board.hasSlot(each, c.serial()));
    for (var i = 0; i < members.size(); i++) {
      checkSlot(c, board, members.rank(i), slice.length());
    }
    var part = new BoardAllReduce(c, board, slice, by);
    if (c.communicator().canHaveHostBoards()) {
      if (isSmall) {
        part.byLeader();
      } else {
        part.byLeaderInChunks();
      }
    } else if (isSmall) {
      part.byAll();
    } else {
      part.byShares();
    }
  }

  private static void awaitSlot(CollectiveOperation c, Board board) {
    if (!board.isSlotFree(c.serial())) {
      c.awaitOnBoard(each -> board.hasBegun(each, c.serial()));
    }
  }

  static void reduce(CollectiveOperation c, int root, Slice<?> slice, Operation by) {
    var board = c.boardForData();
    if (board == null) {
      ArrayCollectives.reduce(c, root, slice, by);
      return;
    }
    var leader = leader(board, root);
    if (c.rank() != leader) {
      contribute(c, board, leader, slice);
    } else if (leader == root) {
      combine(c, board, root, slice, by);
    } else { // only the root's array is changed
      var copy = SliceArrays.copyOf(slice);
      combine(c, board, root, SliceArrays.wrap(slice, copy), by);
      ArrayPool.put(copy);
    }
  }

  private static void contribute(CollectiveOperation c, Board board, int leader, Slice<?> slice) {
    var bytes = SliceArrays.bytes(slice);
    var isSmall = bytes <= Board.SLOT_BYTES;
    if (!(isSmall ? board.isSlotFree(c.serial()) : areAllThere(c, board))) {
      c.sendZeroCopy(leader, slice);
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
    var count = ArrayCollectives.chunks(slice);
    for (var i = 0; i < count; i++) {
      var taken = i - 1;
      c.awaitOnBoard(each -> each != leader || board.taken(leader, c.serial()) >= taken);
      var from = SliceArrays.segment(slice.block(i, count));
      MemorySegment.copy(from, 0, board.half(c.rank(), i), 0, from.byteSize());
      board.publish(c.serial(), i + 1);
    }
  }

  /** Combines the numbers of this host into a slice, and in that of the root those of all hosts. */
  private static void combine(
      CollectiveOperation c, Board board, int root, Slice<?> slice, Operation by) {
    var members = board.members();
    var sent = new @Nullable MemorySegment[members.size()];
    for (var i = 0; i < sent.length; i++) {
      if (members.rank(i) != c.rank()) {
        sent[i] = receiveContribution(c, board, members.rank(i), slice);
      }
    }
    var order = c.communicator().orders().ofReduce(members, c.rank());
    var levels = c.communicator().hierarchy().levelsOfHosts(root);
    var terms = new ArrayTerms(slice);
    if (SliceArrays.bytes(slice) <= Board.SLOT_BYTES) {
      terms.read(terms(c, board, sent, 0, each -> board.content(each, c.serial())), 0);
      terms.combine(by, order, 0, slice.length(), null);
      ArrayCollectives.reduce(c, levels, slice, by);
      return;
    }
    var count = ArrayCollectives.chunks(slice);
    for (var i = 0; i < count; i++) {
      var index = i;
      var chunk = slice.block(i, count);
      c.awaitOnBoard(
          each ->
              each == c.rank()
                  || sent[members.index(each)] != null
                  || board.published(each, c.serial()) > index);
      var start = chunk.offset() - slice.offset();
      var at = SliceArrays.bytes(slice.from(0, start));
      terms.read(terms(c, board, sent, at, each -> board.half(each, index)), start);
      terms.combine(by, order, start, chunk.length(), null);
      board.take(c.serial(), i + 1);
    }
    ArrayCollectives.forEachChunk(c, slice, chunk -> ArrayCollectives.reduce(c, levels, chunk, by));
  }

  /**
   * Returns the numbers of the members, for {@link ArrayTerms#read}.
   *
   * @param sent those that were sent in messages, by the index of the member
   * @param at the place of the first number in them
   * @param onBoard the place on the board of each other member's numbers
   */
  private static IntFunction<@Nullable MemorySegment> terms(
      CollectiveOperation c,
      Board board,
      @Nullable MemorySegment[] sent,
      long at,
      IntFunction<MemorySegment> onBoard) {
    return each -> {
      var its = sent[board.members().index(each)];
      return each == c.rank() ? null : its == null ? onBoard.apply(each) : its.asSlice(at);
    };
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
      c.use(CollectiveAlgorithm.BINOMIAL); // unless this member is at the top, too
      return ObjectCollectives.allReduce(c, c.communicator().hierarchy().levels(-1), value, by);
    }
    awaitSlot(c, board);
    publish(c, board, value);
    c.awaitOnBoard(each -> board.hasSlot(each, c.serial()));
    var orders = c.communicator().orders();
    if (!c.communicator().canHaveHostBoards()) {
      return sum(
          orders.ofAllReduce(board.members(), Long.BYTES).sumAt(0, 1),
          by,
          each -> number(c, board, each));
    }
    var leader = leader(board, -1);
    var result = board.half(leader, 0); // which is free, as all members have begun
    if (c.rank() != leader) {
      c.awaitOnBoard(each -> each != leader || board.published(leader, c.serial()) > 0);
      return read(result);
    }
    N ofHost =
        sum(
            orders.ofReduce(board.members(), leader).sumAt(0, 1),
            by,
            each -> number(c, board, each));
    N ofAll =
        ObjectCollectives.allReduce(c, c.communicator().hierarchy().levelsOfHosts(-1), ofHost, by);
    write(ofAll, result);
    board.publish(c.serial(), 1);
    return ofAll;
  }

  static <N> @Nullable N reduce(CollectiveOperation c, int root, N value, BinaryOperator<N> by) {
    var board = c.boardForData();
    N sum;
    if (board == null) {
      c.use(CollectiveAlgorithm.BINOMIAL);
      sum = ObjectCollectives.reduce(c, c.communicator().hierarchy().levels(root), value, by);
    } else {
      sum = reduce(c, board, root, value, by);
    }
    return c.rank() == root ? sum : null;
  }

  private static <N> N reduce(
      CollectiveOperation c, Board board, int root, N value, BinaryOperator<N> by) {
    var leader = leader(board, root);
    if (c.rank() == leader) {
      N ofHost =
          sum(
              c.communicator().orders().ofReduce(board.members(), leader).sumAt(0, 1),
              by,
              each -> each == leader ? value : receiveNumber(c, board, each));
      return ObjectCollectives.reduce(
          c, c.communicator().hierarchy().levelsOfHosts(root), ofHost, by);
    }
    if (board.isSlotFree(c.serial())) {
      publish(c, board, value);
    } else {
      c.send(leader, value);
    }
    return value;
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
    write(number, board.content(c.rank(), c.serial()));
    board.publishSlot(c.serial(), c.tag(), 1);
  }

  private static <N> N number(CollectiveOperation c, Board board, int from) {
    var tag = board.slotTag(from, c.serial());
    if (tag != c.tag()) {
      throw new CollectiveException(c.mismatch(from, tag));
    }
    return read(board.content(from, c.serial()));
  }

  /** Writes a number and its type. */
  private static void write(Object number, MemorySegment to) {
    to.set(
        LONG,
        0,
        switch (number) {
          case Double real -> Double.doubleToRawLongBits(real);
          case Number whole -> whole.longValue();
          default -> throw new AssertionError(number.getClass());
        });
    to.set(LONG, Long.BYTES, number instanceof Double ? 0 : number instanceof Long ? 1 : 2);
  }

  @SuppressWarnings("unchecked") // all members give numbers of one type, which the operator checks
  private static <N> N read(MemorySegment from) {
    var bits = from.get(LONG, 0);
    return (N)
        switch ((int) from.get(LONG, Long.BYTES)) {
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
