package org.troupe.mpj.comm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.Board;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.MessagingError;

/** The collectives whose data goes over the board of a communicator, at one rank. */
final class SharedMemoryCollectives {

  /*
   * Design: paths
   *
   * As in groups/ (BoardCollectives): a broadcast is one write and a read of each other member; in an all-reduce each
   * member writes its numbers, combines its share of all, and reads the shares of the others. An array larger than a
   * slot goes through the area of its owner, piece by piece.
   *
   * A member that only contributes must not wait for members that are late. If its slot is not free, or not all members
   * begin a large operation soon, it sends messages instead, directly to the readers, which look for both: first on the
   * board, as a message that follows a publication is of a later collective.
   *
   * Each slot has the tag of its collective, the base type and the number of elements, so members that disagree find it.
   * Members that wait for each other in different collectives ask each other, as they do without a board.
   *
   * Values are combined in the tree of CollectiveCalls, so the result has the same bits as by messages.
   */
  private static final int PIECE_BYTES = 128 << 10;
  private static final int PIECES = 2 * Board.HALF_BYTES / PIECE_BYTES;
  private static final int MOST_COMBINED_BY_ALL = 64 << 10;
  private static final int STRETCH_BYTES =
      16 << 10; // that fits into the inner cache, for each depth
  private static final long PATIENCE_NANOS = 20_000_000;

  private final CollectiveProtocol calls;
  private final Board board;
  private final int rank;
  private final int size;
  private final long number;
  private final int tag;

  SharedMemoryCollectives(CollectiveProtocol calls, Board board, long number, int tag) {
    this.calls = calls;
    this.board = board;
    this.rank = calls.communicator().ownRank();
    this.size = calls.communicator().ownGroup().size();
    this.number = number;
    this.tag = tag;
  }

  /** Returns whether a board can carry such elements. */
  static boolean canCarry(MessageBuffer data) {
    return data.element().isNumeric();
  }

  // Waiting

  /** Waits until all members have done something. */
  private void await(IntPredicate hasDone) {
    if (firstWithout(hasDone) >= 0) {
      awaitEach(hasDone);
    }
  }

  private int firstWithout(IntPredicate hasDone) {
    for (var i = 0; i < size; i++) {
      if (!hasDone.test(i)) {
        return i;
      }
    }
    return -1;
  }

  private void awaitEach(IntPredicate hasDone) {
    var wait =
        new BoardWait(calls, board) {
          @Override
          int missing() {
            return firstWithout(hasDone);
          }
        };
    calls.engine().await(wait);
    if (wait.missing() >= 0) {
      throw MessagingError.of(Objects.requireNonNull(wait.failure(), "or it would not be over"));
    }
  }

  /** Waits until a member has published its slot; false if it has sent a message instead. */
  private boolean awaitSlot(int from) {
    if (!board.hasSlot(from, number)) {
      var wait =
          new BoardWait(calls, board) {
            @Override
            int missing() {
              return board.hasSlot(from, number) || calls.hasMessage(from) ? -1 : from;
            }
          };
      calls.engine().await(wait, calls.context(), calls.communicator().ofRun(from));
      if (wait.missing() >= 0) {
        throw MessagingError.of(Objects.requireNonNull(wait.failure(), "or it would not be over"));
      }
    }
    return board.hasSlot(from, number);
  }

  /** Waits a short time until all members have begun, so that their areas are free. */
  private boolean areAllThere() {
    var deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!board.haveAllBegun(number)) {
      if (System.nanoTime() - deadline >= 0 || calls.engine().hopeless(calls.context()) != null) {
        return false;
      }
      Board.awaitShortly(() -> board.haveAllBegun(number));
    }
    return true;
  }

  private void awaitOwnSlot() {
    if (!board.isSlotFree(number)) {
      await(each -> board.hasBegun(each, number));
    }
  }

  private void publishSlot(MessageBuffer data) {
    board.publishSlot(
        number, tag, (long) data.element().ordinal() << Integer.SIZE | data.elements());
  }

  private void checkSlot(int member, @Nullable MessageBuffer expected) {
    var its = (int) board.slotTag(member, number);
    if (its != tag) {
      throw calls.disagreed(member, its);
    }
    if (expected != null) {
      var shape = board.slotLength(member, number);
      calls.checkShape(
          member, ElementType.ALL.get((int) (shape >>> Integer.SIZE)), (int) shape, expected);
    }
  }

  // Barrier

  void barrier() {
    awaitOwnSlot();
    board.publishSlot(number, tag, 0);
    await(each -> board.hasSlot(each, number));
    for (var i = 0; i < size; i++) {
      checkSlot(i, null);
    }
  }

  // Broadcast

  /** Copies the root's items to all. */
  void broadcast(MessageBuffer data, int root) {
    if (rank == root) {
      give(data);
    } else {
      get(data, root);
    }
  }

  private static Object row(MessageBuffer data) {
    return data.isContiguous() ? data.array() : data.packed();
  }

  private static int start(MessageBuffer data) {
    return data.isContiguous() ? data.offset() : 0;
  }

  private void give(MessageBuffer data) {
    var bytes = data.bytes();
    var isSmall = bytes <= Board.SLOT_BYTES;
    if (!(isSmall ? board.isSlotFree(number) : areAllThere())) {
      for (var i = 0; i < size; i++) {
        if (i != rank) {
          calls.sent(calls.put(i, data));
        }
      }
      return;
    }
    var from = MessageBuffer.memory(data.element(), row(data), start(data), data.elements());
    if (isSmall) {
      MemorySegment.copy(from, 0, board.content(rank, number), 0, bytes);
      publishSlot(data);
      return;
    }
    publishSlot(data);
    var area = board.wholeArea(rank);
    var count = pieces(bytes);
    for (var i = 0; i < count; i++) {
      var taken = i - PIECES + 1;
      await(each -> each == rank || board.taken(each, number) >= taken);
      copyPiece(from, (long) i * PIECE_BYTES, area, i % PIECES * (long) PIECE_BYTES, bytes, i);
      board.publish(number, i + 1);
    }
  }

  private void get(MessageBuffer data, int root) {
    if (!awaitSlot(root)) {
      calls.received(calls.get(root, data), root, data);
      return;
    }
    checkSlot(root, data);
    var bytes = data.bytes();
    var row = data.isContiguous() ? data.array() : data.element().newArray(data.elements());
    var into = MessageBuffer.memory(data.element(), row, start(data), data.elements());
    if (bytes <= Board.SLOT_BYTES) {
      MemorySegment.copy(board.content(root, number), 0, into, 0, bytes);
    } else {
      var area = board.wholeArea(root);
      var count = pieces(bytes);
      for (var i = 0; i < count; i++) {
        var needed = i + 1;
        await(each -> each != root || board.published(root, number) >= needed);
        copyPiece(area, i % PIECES * (long) PIECE_BYTES, into, (long) i * PIECE_BYTES, bytes, i);
        board.take(number, needed);
      }
    }
    if (!data.isContiguous()) {
      data.scatter(row, 0, data.elements());
    }
  }

  private static int pieces(long bytes) {
    return (int) ((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  private static void copyPiece(
      MemorySegment from, long start, MemorySegment into, long at, long bytes, int piece) {
    MemorySegment.copy(
        from, start, into, at, Math.min(PIECE_BYTES, bytes - (long) piece * PIECE_BYTES));
  }

  // Reductions

  /** Where the numbers of a member are, from a certain element of the operation on. */
  private interface Terms {

    /** Returns the memory; {@code null} for the own numbers. */
    @Nullable MemorySegment of(int member);
  }

  /** Combines numbers of all members, by stretches. */
  private final class Combination {
    private final MessageBuffer own;
    private final Object ownRow;
    private final int ownStart;
    private final ElementType element;
    private final ReductionOperator operator;
    private final int stretch; // in elements, of whole items
    private final List<Object> rows = new ArrayList<>(); // by depth
    private final List<MemorySegment> memories = new ArrayList<>(); // of the rows

    Combination(MessageBuffer own, ReductionOperator operator) {
      this.own = own;
      this.ownRow = row(own);
      this.ownStart = start(own);
      this.element = own.element();
      this.operator = operator;
      var unit = unit(operator);
      var most = operator.isUsers() ? own.elements() : STRETCH_BYTES / element.bytes();
      this.stretch = Math.max(unit, Math.min(own.elements(), most) / unit * unit);
    }

    /**
     * Combines a range into a row, and perhaps into memory.
     *
     * @param first the element of the operation at which the terms begin
     * @param copy gets the result, too, at the place of the terms
     */
    void combine(
        Terms terms, int first, int from, int length, Object into, @Nullable MemorySegment copy) {
      for (var at = from; at < from + length; at += stretch) {
        var count = Math.min(stretch, from + length - at);
        var depth = combineBlock(terms, first, at, count, 0, highestStep(), 0);
        System.arraycopy(rows.get(depth), 0, into, at, count);
        if (copy != null) {
          MemorySegment.copy(
              memories.get(depth),
              0,
              copy,
              (long) (at - first) * element.bytes(),
              (long) count * element.bytes());
        }
      }
    }

    private int highestStep() {
      var step = 1;
      while (step < size) {
        step <<= 1;
      }
      return step;
    }

    /**
     * Combines the numbers of the members of a block, as CollectiveCalls does by messages.
     *
     * @return the depth whose row has the result, at least the given one
     */
    private int combineBlock(
        Terms terms, int first, int at, int count, int member, int width, int depth) {
      if (width == 1) {
        read(terms, first, at, count, member, depth);
        return depth;
      }
      var half = width / 2;
      var lower = combineBlock(terms, first, at, count, member, half, depth);
      if (member + half >= size) {
        return lower;
      }
      var upper = combineBlock(terms, first, at, count, member + half, half, lower + 1);
      operator.combine(own.layout(), rows.get(lower), 0, rows.get(upper), 0, count);
      Collections.swap(rows, lower, upper); // the result is in the upper one
      Collections.swap(memories, lower, upper);
      return lower;
    }

    private void read(Terms terms, int first, int at, int count, int member, int depth) {
      if (depth == rows.size()) {
        var row = element.newArray(stretch);
        rows.add(row);
        memories.add(MessageBuffer.memory(element, row, 0, stretch));
      }
      var term = terms.of(member);
      if (term == null) {
        System.arraycopy(ownRow, ownStart + at, rows.get(depth), 0, count);
      } else {
        MemorySegment.copy(
            term,
            (long) (at - first) * element.bytes(),
            memories.get(depth),
            0,
            (long) count * element.bytes());
      }
    }
  }

  /** Returns whether an all-reduce can go over the board. */
  static boolean canReduce(MessageBuffer own, ReductionOperator operator, int size) {
    return canCarry(own) && (isCombinedByAll(own, size) || !operator.isUsers());
  }

  /** Returns how many elements stay together. */
  private static int unit(ReductionOperator operator) {
    return operator == ReductionOperator.MAXLOC || operator == ReductionOperator.MINLOC ? 2 : 1;
  }

  private static boolean isCombinedByAll(MessageBuffer own, int size) {
    return own.bytes() <= Board.SLOT_BYTES && size * own.bytes() <= MOST_COMBINED_BY_ALL;
  }

  /** Combines the items of all at all. */
  void reduceToAll(MessageBuffer own, MessageBuffer into, ReductionOperator operator) {
    var length = own.elements();
    var bytes = own.bytes();
    awaitOwnSlot();
    var isSmall = isCombinedByAll(own, size);
    var numbers = MessageBuffer.memory(own.element(), row(own), start(own), length);
    if (isSmall) {
      MemorySegment.copy(numbers, 0, board.content(rank, number), 0, bytes);
    }
    publishSlot(own);
    await(each -> board.hasSlot(each, number));
    for (var i = 0; i < size; i++) {
      checkSlot(i, own);
    }
    if (length == 0) {
      return;
    }
    var combination = new Combination(own, operator);
    var result = new Result(into, length);
    if (isSmall) {
      combination.combine(
          each -> each == rank ? null : board.content(each, number),
          0,
          0,
          length,
          result.row,
          null);
    } else {
      reduceByShares(own, numbers, combination, operator, result.row);
    }
    result.store();
  }

  /** A row that becomes items. */
  private static final class Result {
    private final MessageBuffer into;
    private final int length;
    private final boolean isDirect;
    private final Object row;

    Result(MessageBuffer into, int length) {
      this.into = into;
      this.length = length;
      this.isDirect = into.isContiguous() && into.offset() == 0 && into.elements() == length;
      this.row = isDirect ? into.array() : into.element().newArray(length);
    }

    void store() {
      if (!isDirect) {
        into.scatter(row, 0, length);
      }
    }
  }

  /**
   * Combines in rounds of half an area. In each round a member writes its numbers, except its own
   * share; combines its share of all; writes it; and reads the shares of the others.
   */
  private void reduceByShares(
      MessageBuffer own,
      MemorySegment numbers,
      Combination combination,
      ReductionOperator operator,
      Object into) {
    var elementBytes = own.element().bytes();
    var unit = unit(operator);
    var most = Board.HALF_BYTES / elementBytes / unit * unit;
    var all = MessageBuffer.memory(own.element(), into, 0, own.elements());
    var steps = 0;
    for (int start = 0, round = 0; start < own.elements(); start += most, round++) {
      var length = Math.min(most, own.elements() - start);
      var from = start + share(rank, length, unit);
      var to = start + share(rank + 1, length, unit);
      var half = board.half(rank, round);
      write(numbers, start, half, 0, (long) (from - start) * elementBytes, elementBytes);
      write(
          numbers,
          to,
          half,
          (long) (to - start) * elementBytes,
          (long) (start + length - to) * elementBytes,
          elementBytes);
      var isWritten = ++steps;
      board.publish(number, isWritten);
      await(each -> board.published(each, number) >= isWritten);

      var index = round;
      combination.combine(
          each -> each == rank ? null : board.half(each, index),
          start,
          from,
          to - from,
          into,
          half);
      var isCombined = ++steps;
      board.publish(number, isCombined);
      await(each -> board.published(each, number) >= isCombined);

      for (var i = 1; i < size; i++) {
        var each = (rank + i) % size;
        var its = start + share(each, length, unit);
        var end = start + share(each + 1, length, unit);
        MemorySegment.copy(
            board.half(each, round),
            (long) (its - start) * elementBytes,
            all,
            (long) its * elementBytes,
            (long) (end - its) * elementBytes);
      }
    }
  }

  private int share(int member, int length, int unit) {
    return (int) ((long) (length / unit) * member / size) * unit;
  }

  private static void write(
      MemorySegment from, int element, MemorySegment into, long at, long bytes, int elementBytes) {
    MemorySegment.copy(from, (long) element * elementBytes, into, at, bytes);
  }

  /** Combines the items of all at the root. */
  void reduce(
      MessageBuffer own, @Nullable MessageBuffer into, ReductionOperator operator, int root) {
    if (rank != root) {
      contribute(own, operator, root);
      return;
    }
    var length = own.elements();
    var sent = new @Nullable MemorySegment[size];
    for (var i = 0; i < size; i++) {
      if (i != rank) {
        sent[i] = contribution(own, i);
      }
    }
    if (length == 0 || into == null) {
      return;
    }
    var combination = new Combination(own, operator);
    var result = new Result(into, length);
    if (own.bytes() <= Board.SLOT_BYTES) {
      combination.combine(
          each ->
              each == rank ? null : sent[each] == null ? board.content(each, number) : sent[each],
          0,
          0,
          length,
          result.row,
          null);
    } else {
      var elementBytes = own.element().bytes();
      var unit = unit(operator);
      var most = Board.HALF_BYTES / elementBytes / unit * unit;
      for (int start = 0, i = 0; start < length; start += most, i++) {
        var index = i;
        var at = (long) start * elementBytes;
        await(each -> each == rank || sent[each] != null || board.published(each, number) > index);
        combination.combine(
            each ->
                each == rank
                    ? null
                    : sent[each] == null
                        ? board.half(each, index)
                        : Objects.requireNonNull(sent[each]).asSlice(at),
            start,
            start,
            Math.min(most, length - start),
            result.row,
            null);
        board.take(number, i + 1);
      }
    }
    result.store();
  }

  private void contribute(MessageBuffer own, ReductionOperator operator, int root) {
    var bytes = own.bytes();
    var isSmall = bytes <= Board.SLOT_BYTES;
    if (!(isSmall ? board.isSlotFree(number) : areAllThere())) {
      calls.sent(calls.put(root, own));
      return;
    }
    var from = MessageBuffer.memory(own.element(), row(own), start(own), own.elements());
    if (isSmall) {
      MemorySegment.copy(from, 0, board.content(rank, number), 0, bytes);
      publishSlot(own);
      return;
    }
    publishSlot(own);
    var elementBytes = own.element().bytes();
    var unit = unit(operator);
    var most = (long) Board.HALF_BYTES / elementBytes / unit * unit * elementBytes;
    for (var i = 0; i * most < bytes; i++) {
      var taken = i - 1;
      await(each -> each != root || board.taken(root, number) >= taken);
      var at = i * most;
      MemorySegment.copy(from, at, board.half(rank, i), 0, Math.min(most, bytes - at));
      board.publish(number, i + 1);
    }
  }

  /** Returns the numbers that a member has sent in a message; {@code null} if on the board. */
  private @Nullable MemorySegment contribution(MessageBuffer own, int from) {
    if (awaitSlot(from)) {
      checkSlot(from, own);
      return null;
    }
    var row = own.element().newArray(own.elements());
    var place = MessageBuffer.range(own.element(), row, 0, own.elements());
    calls.received(calls.get(from, place), from, place);
    return MessageBuffer.memory(own.element(), row, 0, own.elements());
  }
}
