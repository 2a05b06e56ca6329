package org.troupe.groups.spmd;

import java.lang.foreign.MemorySegment;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.board.Board;

/**
 * The all-reduce of a slice over the board of a host, whose members have all begun. Used by one
 * thread.
 */
final class BoardAllReduce {

  /*
   * Leaders
   *
   * If the group is on several hosts, the first member of each host leads it. The others combine the numbers of the
   * host, a share each; the leader combines their sums with those of other hosts, by messages, and writes the result for
   * the others to read. Large slices go in chunks: while the leader exchanges one, the others combine the next. The
   * leader combines no share, so that the messages never wait for its additions.
   *
   * Chunk i is in half i % 2 of each area: the numbers of its owner, then the share that the owner has combined, or the
   * result of the leader. The leader reuses a half when all have taken the result in it; the others, when they have taken
   * the result themselves, as the leader has it only after all of that chunk was read.
   */

  private final CollectiveOperation c;
  private final Board board;
  private final Slice<?> slice;
  private final Operation by;
  private final int leader;
  private final MemorySegment own;
  private final ArrayTerms terms;
  private final int elementBytes;

  BoardAllReduce(CollectiveOperation c, Board board, Slice<?> slice, Operation by) {
    this.c = c;
    this.board = board;
    this.slice = slice;
    this.by = by;
    this.leader = board.members().rank(0);
    this.own = SliceArrays.segment(slice);
    this.terms = new ArrayTerms(slice);
    this.elementBytes = slice.length() == 0 ? 1 : (int) (SliceArrays.bytes(slice) / slice.length());
  }

  // Among the members of one host

  /** Combines small slices, which are in the slots, at each member. */
  void byAll() {
    terms.read(each -> board.content(each, c.serial()), 0);
    var order = c.communicator().orders().ofAllReduce(board.members(), SliceArrays.bytes(slice));
    terms.combine(by, order, 0, slice.length(), null);
  }

  /**
   * Combines in rounds of half an area. In each round a member writes its numbers, except its own
   * share; combines its share of all; writes it; and reads the shares of the others.
   */
  void byShares() {
    var order = c.communicator().orders().ofAllReduce(board.members(), SliceArrays.bytes(slice));
    var most = Board.HALF_BYTES / elementBytes;
    for (int start = 0, round = 0; start < slice.length(); start += most, round++) {
      var part = slice.from(start, Math.min(most, slice.length() - start));
      var share = part.block(board.members().index(c.rank()), board.members().size());
      combineShare(order, part, share, round, 2 * round);
      var combined = 2 * round + 2;
      c.awaitOnBoard(each -> board.published(each, c.serial()) >= combined);
      readShares(part, round, 0);
    }
  }

  /**
   * Writes the numbers of this member, except its share, and combines the share of all members.
   *
   * @param steps the steps before, of which each member publishes two in each round
   */
  private void combineShare(
      ReductionOrder order, Slice<?> part, Slice<?> share, int round, int steps) {
    var half = board.half(c.rank(), round);
    var afterShare = share.offset() + share.length() - part.offset();
    write(part.from(0, share.offset() - part.offset()), part, half);
    write(part.from(afterShare, part.length() - afterShare), part, half);
    board.publish(c.serial(), steps + 1);
    c.awaitOnBoard(each -> board.published(each, c.serial()) > steps);

    terms.read(each -> each == c.rank() ? null : board.half(each, round), start(part));
    terms.combine(by, order, start(share), share.length(), half);
    board.publish(c.serial(), steps + 2);
  }

  /**
   * Reads what the others have combined.
   *
   * @param first the index of the first member that has a share
   */
  private void readShares(Slice<?> part, int round, int first) {
    var members = board.members();
    var me = members.index(c.rank());
    for (var i = 1; i < members.size(); i++) { // not all members from the same one at a time
      var index = (me + i) % members.size();
      if (index >= first) {
        var share = part.block(index - first, members.size() - first);
        read(share, part, board.half(members.rank(index), round));
      }
    }
  }

  // Among the members of several hosts

  /** Combines small slices, which are in the slots, at the leader. */
  void byLeader() {
    if (c.rank() != leader) {
      c.awaitOnBoard(each -> each != leader || board.published(leader, c.serial()) > 0);
      read(slice, slice, board.half(leader, 0));
      return;
    }
    terms.read(each -> board.content(each, c.serial()), 0);
    terms.combine(by, orderOfHost(), 0, slice.length(), null);
    exchange(slice);
    write(slice, slice, board.half(leader, 0));
    board.publish(c.serial(), 1);
  }

  private ReductionOrder orderOfHost() {
    return c.communicator().orders().ofReduce(board.members(), leader);
  }

  /** Combines the numbers of this host with those of the others. */
  private void exchange(Slice<?> part) {
    ArrayCollectives.allReduce(c, c.communicator().hierarchy().levelsOfHosts(-1), part, by);
  }

  /** Combines in chunks, by shares within the host. */
  void byLeaderInChunks() {
    var count = ArrayCollectives.chunks(slice);
    for (var i = 0; i <= count; i++) {
      if (c.rank() == leader) {
        lead(i, count);
      } else {
        follow(i, count);
      }
    }
  }

  /** Offers the numbers of a chunk, and completes the chunk before. */
  private void lead(int index, int count) {
    if (index < count) {
      var taken = index - 1;
      c.awaitOnBoard(each -> each == leader || board.taken(each, c.serial()) >= taken);
      var chunk = slice.block(index, count);
      write(chunk, chunk, board.half(leader, index));
      board.publish(c.serial(), 2 * index + 1);
    }
    if (index == 0) {
      return;
    }
    var before = index - 1;
    var combined = 2 * before + 2;
    c.awaitOnBoard(each -> each == leader || board.published(each, c.serial()) >= combined);
    var chunk = ArrayCollectives.beginChunk(c, slice, before, count);
    readShares(chunk, before, 1);
    exchange(chunk);
    write(chunk, chunk, board.half(leader, before));
    board.publish(c.serial(), 2 * index + 2);
  }

  /** Combines a share of a chunk, and takes the result of the chunk before. */
  private void follow(int index, int count) {
    if (index < count) {
      var members = board.members();
      var chunk = slice.block(index, count);
      var share = chunk.block(members.index(c.rank()) - 1, members.size() - 1);
      combineShare(orderOfHost(), chunk, share, index, 2 * index);
    }
    if (index == 0) {
      return;
    }
    var before = index - 1;
    var completed = 2 * index + 2;
    c.awaitOnBoard(each -> each != leader || board.published(leader, c.serial()) >= completed);
    var chunk = slice.block(before, count);
    read(chunk, chunk, board.half(leader, before));
    board.take(c.serial(), index);
  }

  // Areas

  private int start(Slice<?> part) {
    return part.offset() - slice.offset();
  }

  private long bytes(int elements) {
    return (long) elements * elementBytes;
  }

  /** Writes some numbers of a part into a half of this member's area. */
  private void write(Slice<?> some, Slice<?> part, MemorySegment half) {
    MemorySegment.copy(
        own, bytes(start(some)), half, bytes(some.offset() - part.offset()), bytes(some.length()));
  }

  /** Reads some numbers of a part from a half of an area. */
  private void read(Slice<?> some, Slice<?> part, MemorySegment half) {
    MemorySegment.copy(
        half, bytes(some.offset() - part.offset()), own, bytes(start(some)), bytes(some.length()));
  }
}
