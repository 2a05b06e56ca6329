package org.troupe.groups.spmd;

import java.util.List;
import java.util.stream.IntStream;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.CollectiveOperation.Way;

/** Collectives on slices of arrays of numbers, of which all members have, or get, the whole. */
final class ArrayCollectives {

  /*
   * Ownership of arrays
   *
   * Neither side changes an array after it was sent. An array made for one receiver is given away:
   * the receiver may reuse it, so a reduction combines into the array it received, and a relay
   * forwards it. A range of a user's array for one member is sent without a copy of its own, and a
   * thread that waits to fill a user's array offers it as the receive buffer, so each number is
   * copied once by the sender and once by the receiver. An array that is no longer needed returns
   * to the array pool.
   */

  /** From this size on, transfer time counts for more than the number of messages. */
  static final int LARGE = 16 << 10;

  /**
   * Size of the chunks of a pipelined broadcast, so that all levels of the tree work at the same
   * time.
   */
  static final int CHUNK = 256 << 10;

  private ArrayCollectives() {}

  // One to all

  static void broadcast(CollectiveOperation c, int root, Slice<?> slice) {
    var levels = c.communicator().levels(root);
    var top = levels.isEmpty() ? null : levels.getLast();
    if (top != null && top.isTop() && isScattered(c, top, slice)) {
      scatterAllGather(c, top, slice);
      levels = levels.subList(0, levels.size() - 1);
    }
    downInChunks(c, levels, slice);
  }

  /** In as many for all, as not all know whether it was scattered. */
  static void downInChunks(CollectiveOperation c, List<HierarchyLevel> levels, Slice<?> slice) {
    var count = (int) Math.max(1, slice.bytes() / CHUNK);
    for (var i = 0; i < count; i++) {
      c.goes(i < count - 1 ? Way.CHUNKS : Way.WHOLE);
      down(c, levels, slice.block(i, count));
    }
  }

  private static boolean isScattered(CollectiveOperation c, HierarchyLevel team, Slice<?> slice) {
    return switch (c.algorithm()) {
      case SCATTER_ALL_GATHER -> true;
      case BEST -> team.size() > 3 && slice.bytes() >= 2 * CHUNK;
      default -> false;
    };
  }

  /** From far to near, by a binomial tree in each team. */
  private static void down(CollectiveOperation c, List<HierarchyLevel> levels, Slice<?> slice) {
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
      c.lend(children[0], slice);
      return;
    } else if (children.length > 0) {
      array = slice.copy();
    }
    for (var child : children) {
      c.send(child, array);
    }
  }

  /** Whom a member tells, those first who have most to tell, from far to near. */
  private static int[] children(List<HierarchyLevel> levels) {
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
  static int highestChild(HierarchyLevel team) {
    return team.me() == 0
        ? Integer.highestOneBit(team.size())
        : Integer.lowestOneBit(team.me()) >> 1;
  }

  private static void scatterAllGather(CollectiveOperation c, HierarchyLevel team, Slice<?> slice) {
    c.goes(Way.BLOCKS);
    var size = team.size();
    if (!team.isLed()) {
      for (var i = 1; i < size; i++) {
        c.lend(team.rank(i), slice.block(i, size));
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
      CollectiveOperation c,
      HierarchyLevel team,
      Slice<?> slice,
      int blocks,
      int ahead,
      Object first) {
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
    ArrayPool.put(array);
  }

  // Reductions

  static void reduce(CollectiveOperation c, int root, Slice<?> slice, Operation by) {
    Object sum = null;
    for (var team : c.communicator().levels(root)) {
      sum = reduced(c, team, slice, sum, by);
    }
    if (c.rank() == root && sum != null) {
      slice.fill(sum);
      ArrayPool.put(sum);
    }
  }

  /**
   * Combines by a binomial tree.
   *
   * @param known the values combined so far, or {@code null} for the slice
   * @return the combined values, at the leader
   */
  private static Object reduced(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Object known, Operation by) {
    var sum = known;
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if ((team.me() & distance) != 0) {
        if (sum == null) {
          c.lend(team.rank(team.me() - distance), slice);
        } else {
          c.give(team.rank(team.me() - distance), sum);
        }
        return null;
      }
      if (team.me() + distance < team.size()) {
        var other = c.receive(team.rank(team.me() + distance), slice.length());
        if (sum == null) {
          ArrayReduction.combine(by, other, 0, slice.array(), slice.offset(), slice.length());
        } else {
          ArrayReduction.combine(by, other, 0, sum, 0, slice.length());
          ArrayPool.put(sum);
        }
        sum = other;
      }
    }
    return sum;
  }

  static void allReduce(CollectiveOperation c, Slice<?> slice, Operation by) {
    var levels = c.communicator().levels(-1);
    Object sum = null;
    for (var team : levels) {
      if (!team.isTop()) {
        sum = reduced(c, team, slice, sum, by);
      } else {
        if (sum != null) {
          slice.fill(sum);
          ArrayPool.put(sum);
        }
        exchange(c, team, slice, by);
        c.goes(Way.WHOLE);
      }
    }
    down(c, levels.stream().filter(each -> !each.isTop()).toList(), slice);
  }

  private static void exchange(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by) {
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
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by, boolean inHalves) {
    var size = Integer.highestOneBit(team.size());
    var paired = 2 * (team.size() - size);
    var me = team.me();
    if (me < paired && me % 2 == 1) {
      c.lend(team.rank(me - 1), slice);
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
    var part = new HierarchyLevel(few, me < paired ? me / 2 : me - paired / 2, true);
    if (inHalves) {
      halves(c, part, slice, by);
      c.goes(Way.WHOLE);
    } else {
      doubling(c, part, slice, by);
    }
    if (me < paired) {
      c.lend(team.rank(me + 1), slice);
    }
  }

  /** Combines into a slice what nobody else has; leaves that. */
  private static void combine(Operation by, Slice<?> into, Object array) {
    ArrayReduction.combine(by, into.array(), into.offset(), array, 0, into.length());
    ArrayPool.put(array);
  }

  private static void doubling(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      var partner = team.rank(team.me() ^ distance);
      c.lend(partner, slice);
      var other = c.receive(partner, slice.length());
      combine(by, slice, other);
    }
  }

  private static void halves(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by) {
    c.goes(Way.HALVES);
    var blocks = team.size();
    var first = 0; // the block where what this member still has to reduce begins
    for (var half = blocks / 2; half > 0; half >>= 1) {
      var partner = team.rank(team.me() ^ half);
      var isLower = (team.me() & half) == 0;
      c.lend(partner, blocks(slice, isLower ? first + half : first, half, blocks));
      first += isLower ? 0 : half;
      var kept = blocks(slice, first, half, blocks);
      combine(by, kept, c.receive(partner, kept.length()));
    }
    for (var count = 1; count < blocks; count <<= 1) {
      var partner = team.rank(team.me() ^ count);
      var others = first ^ count;
      c.exchange(
          partner,
          blocks(slice, first, count, blocks),
          partner,
          blocks(slice, others, count, blocks));
      first = Math.min(first, others);
    }
  }

  /** Some blocks that follow each other. */
  private static Slice<?> blocks(Slice<?> slice, int first, int count, int all) {
    var start = Slice.start(first, all, slice.length());
    return slice.from(start, Slice.start(first + count, all, slice.length()) - start);
  }

  /** Each block goes round and is combined at each, then goes round again. */
  private static void reduceRound(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by) {
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
      ArrayReduction.combine(by, sum, 0, block.array(), block.offset(), block.length());
    }
    block.fill(sum);
    ring(c, team, slice, size, 1, sum);
  }

  /** As {@link ObjectCollectives#scan}. */
  static void scan(CollectiveOperation c, Slice<?> slice, Operation by) {
    var clusters = c.communicator().byCluster();
    if (clusters.length == 1 || !c.communicator().isInOrder()) {
      scan(c, c.communicator().everybody(), slice, by);
      return;
    }
    var own = c.communicator().ownCluster();
    var ranks = clusters[own];
    var last = ranks[ranks.length - 1];
    scan(c, HierarchyLevel.of(ranks, c.rank(), false), slice, by);
    var toNext =
        c.rank() == last && own + 1 < clusters.length
            ? clusters[own + 1][clusters[own + 1].length - 1]
            : -1;
    if (own == 0) {
      if (toNext >= 0) {
        c.lend(toNext, slice);
      }
      return;
    }
    var before = slice.over(slice.empty(slice.length()));
    if (c.rank() == last) {
      c.receive(ranks[0] - 1, before);
      ArrayReduction.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
      if (toNext >= 0) {
        c.lend(toNext, slice);
      }
    }
    down(c, List.of(HierarchyLevel.of(HierarchyLevel.ledBy(last, ranks), c.rank(), false)), before);
    if (c.rank() != last) {
      ArrayReduction.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
    }
  }

  private static void scan(
      CollectiveOperation c, HierarchyLevel team, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if (team.me() + distance < team.size()) {
        c.lend(team.rank(team.me() + distance), slice);
      }
      if (team.me() >= distance) {
        combine(by, slice, c.receive(team.rank(team.me() - distance), slice.length()));
      }
    }
  }
}
