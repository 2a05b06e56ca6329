package org.troupe.groups;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.groups.Collective.Way;

/** Collectives on slices of arrays of numbers. */
final class Numbers {

  /*
   * An array that was sent is never changed again, by either side. One that was made for one receiver only is given: that
   * one may go on with it, so that reductions combine into what they receive, and relays hand on what they have received.
   * So each number is copied once where it leaves the user's array and once where it enters one; and who has no more use
   * for an array that is its own leaves it to whoever needs the next.
   */

  /** From here on the time that bytes take counts for more than the number of messages. */
  private static final int LARGE = 16 << 10;

  /**
   * Parts in which a broadcast goes through a tree, so that all its levels work at the same time.
   */
  private static final int CHUNK = 256 << 10;

  private Numbers() {}

  // One to all

  static void broadcast(Collective c, int root, Slice<?> slice) {
    var levels = c.seat().levels(root);
    var top = levels.isEmpty() ? null : levels.getLast();
    if (top != null && top.isTop() && isScattered(c, top, slice)) {
      scatterAllGather(c, top, slice);
      levels = levels.subList(0, levels.size() - 1);
    }
    var count = (int) Math.max(1, slice.bytes() / CHUNK); // for all: not all know of the scatter
    for (var i = 0; i < count; i++) {
      c.goes(i < count - 1 ? Way.CHUNKS : Way.WHOLE);
      down(c, levels, slice.block(i, count));
    }
  }

  private static boolean isScattered(Collective c, Team team, Slice<?> slice) {
    return switch (c.algorithm()) {
      case SCATTER_ALL_GATHER -> true;
      case BEST -> team.size() > 3 && slice.bytes() >= 2 * CHUNK;
      default -> false;
    };
  }

  /** From far to near, by a binomial tree in each team. */
  private static void down(Collective c, List<Team> levels, Slice<?> slice) {
    var children = children(levels);
    Object array = null;
    var farthest = levels.isEmpty() ? null : levels.getLast();
    if (farthest != null && farthest.isLed()) {
      var parent = farthest.rank(farthest.me() & farthest.me() - 1);
      if (children.length == 0) {
        c.receive(parent, slice);
        return;
      }
      array = c.receive(parent, slice.length());
      slice.fill(array);
    } else if (children.length == 1) {
      c.give(children[0], slice.copy());
      return;
    } else if (children.length > 0) {
      array = slice.copy();
    }
    for (var child : children) {
      c.send(child, array);
    }
  }

  /** Whom a member tells, those first who have most to tell, from far to near. */
  private static int[] children(List<Team> levels) {
    var children = IntStream.builder();
    for (var team : levels.reversed()) {
      for (var child = highestChild(team); child > 0; child >>= 1) {
        if (team.me() + child < team.size()) {
          children.add(team.rank(team.me() + child));
        }
      }
    }
    return children.build().toArray();
  }

  /** How far the farthest child is in a binomial tree, if there are so many members. */
  static int highestChild(Team team) {
    return team.me() == 0
        ? Integer.highestOneBit(team.size())
        : Integer.lowestOneBit(team.me()) >> 1;
  }

  private static void scatterAllGather(Collective c, Team team, Slice<?> slice) {
    c.goes(Way.BLOCKS);
    var size = team.size();
    if (!team.isLed()) {
      for (var i = 1; i < size; i++) {
        c.give(team.rank(i), slice.block(i, size).copy());
      }
      ring(c, team, slice, size, 0, slice.block(0, size).copy());
      return;
    }
    var own = slice.block(team.me(), size);
    var array = c.receive(team.rank(0), own.length());
    own.fill(array);
    ring(c, team, slice, size, 0, array);
  }

  /** Sends blocks round, until all have all. */
  private static void ring(
      Collective c, Team team, Slice<?> slice, int blocks, int ahead, Object first) {
    var size = team.size();
    var right = team.rank((team.me() + 1) % size);
    var left = team.rank((team.me() + size - 1) % size);
    var array = first;
    for (var i = 1; i < size; i++) {
      c.give(right, array);
      var block = slice.block((team.me() + ahead + size - i) % size, blocks);
      array = c.receive(left, block.length());
      block.fill(array);
    }
    Attachment.leave(array);
  }

  // Reductions

  static void reduce(Collective c, int root, Slice<?> slice, Operation by) {
    Object sum = null;
    for (var team : c.seat().levels(root)) {
      sum = reduced(c, team, slice, sum, by);
    }
    if (c.rank() == root && sum != null) {
      slice.fill(sum);
      Attachment.leave(sum);
    }
  }

  /**
   * Combines by a binomial tree.
   *
   * @param known what has been combined so far, to go on with, or {@code null} for the slice
   * @return what is combined, at the leader
   */
  private static Object reduced(
      Collective c, Team team, Slice<?> slice, Object known, Operation by) {
    var sum = known;
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if ((team.me() & distance) != 0) {
        c.give(team.rank(team.me() - distance), sum == null ? slice.copy() : sum);
        return null;
      }
      if (team.me() + distance < team.size()) {
        var other = c.receive(team.rank(team.me() + distance), slice.length());
        if (sum == null) {
          Elements.combine(by, other, 0, slice.array(), slice.offset(), slice.length());
        } else {
          Elements.combine(by, other, 0, sum, 0, slice.length());
          Attachment.leave(sum);
        }
        sum = other;
      }
    }
    return sum;
  }

  static void allReduce(Collective c, Slice<?> slice, Operation by) {
    var levels = c.seat().levels(-1);
    Object sum = null;
    for (var team : levels) {
      if (!team.isTop()) {
        sum = reduced(c, team, slice, sum, by);
      } else {
        if (sum != null) {
          slice.fill(sum);
          Attachment.leave(sum);
        }
        exchange(c, team, slice, by);
        c.goes(Way.WHOLE);
      }
    }
    down(c, levels.stream().filter(each -> !each.isTop()).toList(), slice);
  }

  private static void exchange(Collective c, Team team, Slice<?> slice, Operation by) {
    var isPower = Integer.bitCount(team.size()) == 1;
    switch (c.algorithm()) {
      case DOUBLING -> powerOfTwo(c, team, slice, by, false);
      case HALVING -> powerOfTwo(c, team, slice, by, true);
      case RING -> reduceRound(c, team, slice, by);
      default -> {
        if (slice.bytes() <= LARGE) {
          powerOfTwo(c, team, slice, by, false);
        } else if (isPower) {
          powerOfTwo(c, team, slice, by, true);
        } else {
          reduceRound(c, team, slice, by);
        }
      }
    }
  }

  /** As many as a power of two exchange; the others let a neighbour do it for both. */
  private static void powerOfTwo(
      Collective c, Team team, Slice<?> slice, Operation by, boolean inHalves) {
    var size = Integer.highestOneBit(team.size());
    var paired = 2 * (team.size() - size);
    var me = team.me();
    if (me < paired && me % 2 == 1) {
      c.give(team.rank(me - 1), slice.copy());
      c.receive(team.rank(me - 1), slice);
      return;
    }
    if (me < paired) {
      var other = c.receive(team.rank(me + 1), slice.length());
      combine(by, slice, other);
    }
    var few = new int[size];
    for (var i = 0; i < size; i++) {
      few[i] = team.rank(i < paired / 2 ? 2 * i : i + paired / 2);
    }
    var part = new Team(few, me < paired ? me / 2 : me - paired / 2, true);
    if (inHalves) {
      halves(c, part, slice, by);
      c.goes(Way.WHOLE);
    } else {
      doubling(c, part, slice, by);
    }
    if (me < paired) {
      c.give(team.rank(me + 1), slice.copy());
    }
  }

  /** Combines into a slice what nobody else has; leaves that. */
  private static void combine(Operation by, Slice<?> into, Object array) {
    Elements.combine(by, into.array(), into.offset(), array, 0, into.length());
    Attachment.leave(array);
  }

  private static void doubling(Collective c, Team team, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      var partner = team.rank(team.me() ^ distance);
      c.give(partner, slice.copy());
      var other = c.receive(partner, slice.length());
      combine(by, slice, other);
    }
  }

  private static void halves(Collective c, Team team, Slice<?> slice, Operation by) {
    c.goes(Way.HALVES);
    var blocks = team.size();
    var first = 0; // the block where what this member still has to reduce begins
    Object block = null;
    for (var half = blocks / 2; half > 0; half >>= 1) {
      var partner = team.rank(team.me() ^ half);
      var isLower = (team.me() & half) == 0;
      c.give(partner, blocks(slice, isLower ? first + half : first, half, blocks).copy());
      first += isLower ? 0 : half;
      var kept = blocks(slice, first, half, blocks);
      block = c.receive(partner, kept.length());
      if (half > 1) {
        combine(by, kept, block);
      } else { // complete: to be handed on
        Elements.combine(by, block, 0, kept.array(), kept.offset(), kept.length());
        kept.fill(block);
      }
    }
    for (var count = 1; count < blocks; count <<= 1) {
      var partner = team.rank(team.me() ^ count);
      c.give(partner, count == 1 ? block : blocks(slice, first, count, blocks).copy());
      var others = first ^ count;
      var part = blocks(slice, others, count, blocks);
      c.receive(partner, part);
      first = Math.min(first, others);
    }
  }

  /** Some blocks that follow each other. */
  private static Slice<?> blocks(Slice<?> slice, int first, int count, int all) {
    var start = Slice.start(first, all, slice.length());
    return slice.from(start, Slice.start(first + count, all, slice.length()) - start);
  }

  /** Each block goes round and is combined at each, then goes round again. */
  private static void reduceRound(Collective c, Team team, Slice<?> slice, Operation by) {
    c.goes(Way.BLOCKS);
    var size = team.size();
    var right = team.rank((team.me() + 1) % size);
    var left = team.rank((team.me() + size - 1) % size);
    Object sum = slice.block(team.me(), size).copy();
    Slice<?> block = null;
    for (var i = 1; i < size; i++) {
      c.give(right, sum);
      block = slice.block((team.me() + size - i) % size, size);
      sum = c.receive(left, block.length());
      Elements.combine(by, sum, 0, block.array(), block.offset(), block.length());
    }
    block.fill(sum);
    ring(c, team, slice, size, 1, sum);
  }

  static void scan(Collective c, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < c.size(); distance <<= 1) {
      if (c.rank() + distance < c.size()) {
        c.give(c.rank() + distance, slice.copy());
      }
      if (c.rank() >= distance) {
        var before = c.receive(c.rank() - distance, slice.length());
        combine(by, slice, before);
      }
    }
  }

  // Parts

  static <A> void scatter(Collective c, int root, Slice<A> whole, Slice<A> part) {
    if (c.rank() != root) {
      c.receive(root, part);
      return;
    }
    for (var i = 0; i < c.size(); i++) {
      if (i != root) {
        c.give(i, whole.block(i, c.size()).copy());
      }
    }
    own(c, part, whole.block(root, c.size()), part);
  }

  static <A> void gather(Collective c, int root, Slice<A> part, Slice<A> whole) {
    if (c.rank() != root) {
      c.give(root, part.copy());
      return;
    }
    own(c, part, part, whole.block(root, c.size()));
    receiveAll(c, whole);
  }

  private static void receiveAll(Collective c, Slice<?> whole) {
    var missing = new BitSet();
    missing.set(0, c.size());
    missing.clear(c.rank());
    while (!missing.isEmpty()) {
      var letter = c.receiveAny(missing);
      c.fill(whole.block(letter.from(), c.size()), letter);
      missing.clear(letter.from());
    }
  }

  /** What a member has for itself. */
  private static void own(Collective c, Slice<?> part, Slice<?> from, Slice<?> to) {
    if (from.length() != to.length()) {
      throw new CollectiveException(
          c.seat().describe(c.rank())
              + " has a part of "
              + part.length()
              + " numbers where the whole has "
              + (from == part ? to : from).length()
              + " for it; see Slice.block");
    }
    System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), to.length());
  }

  static <A> void allGather(Collective c, Slice<A> part, Slice<A> whole) {
    own(c, part, part, whole.block(c.rank(), c.size()));
    var isRing =
        switch (c.algorithm()) {
          case RING -> true;
          case DOUBLING -> false;
          default -> whole.bytes() > LARGE;
        };
    if (c.size() == 1) {
      return;
    }
    if (!isRing) {
      doubling(c, whole);
      return;
    }
    c.goes(Way.BLOCKS);
    var team = c.seat().ring();
    var right = team.rank((team.me() + 1) % team.size());
    var left = team.rank((team.me() + team.size() - 1) % team.size());
    Object array = part.copy();
    for (var i = 1; i < team.size(); i++) {
      c.give(right, array);
      var block = whole.block(team.rank((team.me() + team.size() - i) % team.size()), c.size());
      array = c.receive(left, block.length());
      block.fill(array);
    }
    Attachment.leave(array);
  }

  /** Bruck's: each time from twice as far, twice as many blocks, for any number of members. */
  private static void doubling(Collective c, Slice<?> whole) {
    var size = c.size();
    for (var have = 1; have < size; have <<= 1) {
      var count = Math.min(have, size - have);
      var to = (c.rank() + size - have) % size;
      var from = (c.rank() + have) % size;
      c.give(to, packed(whole, c.rank(), count, size));
      var blocks = c.receive(from, lengthOf(whole, from, count, size));
      var at = 0;
      for (var i = 0; i < count; i++) {
        var block = whole.block((from + i) % size, size);
        block.fill(blocks, at);
        at += block.length();
      }
      Attachment.leave(blocks);
    }
  }

  private static Object packed(Slice<?> whole, int first, int count, int size) {
    var packed = whole.empty(lengthOf(whole, first, count, size));
    var at = 0;
    for (var i = 0; i < count; i++) {
      var block = whole.block((first + i) % size, size);
      System.arraycopy(block.array(), block.offset(), packed, at, block.length());
      at += block.length();
    }
    return packed;
  }

  private static int lengthOf(Slice<?> whole, int first, int count, int size) {
    var length = 0;
    for (var i = 0; i < count; i++) {
      length += Slice.length((first + i) % size, size, whole.length());
    }
    return length;
  }

  static <A> void allToAll(Collective c, Slice<A> parts, Slice<A> received) {
    var size = c.size();
    var mine = parts.block(c.rank(), size);
    own(c, mine, mine, received.block(c.rank(), size));
    if (isPairwise(c, parts.bytes() / size)) {
      for (var i = 1; i < size; i++) {
        var to = (c.rank() + i) % size;
        var from = (c.rank() + size - i) % size;
        c.give(to, parts.block(to, size).copy());
        c.receive(from, received.block(from, size));
      }
      return;
    }
    for (var i = 1; i < size; i++) {
      var to = (c.rank() + i) % size;
      c.give(to, parts.block(to, size).copy());
    }
    receiveAll(c, received);
  }

  /** Says whether parts are so large that all at once would only crowd the way. */
  private static boolean isPairwise(Collective c, long bytes) {
    return switch (c.algorithm()) {
      case PAIRWISE -> true;
      case CONCURRENT -> false;
      default -> bytes > CHUNK;
    };
  }
}
