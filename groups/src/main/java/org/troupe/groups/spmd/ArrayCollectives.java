package org.troupe.groups.spmd;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.CollectiveOperation.Layout;

/** Collectives on slices of numbers in which each member contributes or receives a whole slice. */
final class ArrayCollectives {

  /*
   * Ownership of arrays
   *
   * Neither side changes an array after it was sent. The ownership of an array made for one receiver
   * is transferred: the receiver may reuse it, so a reduction combines into the array it received, and a relay
   * forwards it. A slice of a user's array for one member is sent zero-copy, and a thread that waits
   * to fill a user's array posts it as the receive buffer, so the sender and the receiver each copy a
   * number once. An array that is no longer needed returns to the array pool.
   */

  /**
   * Size of the chunks of a pipelined operation, so that all levels of the hierarchy work at the
   * same time.
   */
  static final int CHUNK = 256 << 10;

  private ArrayCollectives() {}

  // Chunks

  /** Returns the number of chunks of a slice, which is a function of its length. */
  static int chunks(Slice<?> slice) {
    return (int) Math.max(1, SliceArrays.bytes(slice) / CHUNK);
  }

  /** Returns a chunk of a slice, whose messages are the next ones. */
  static Slice<?> beginChunk(CollectiveOperation c, Slice<?> slice, int index, int count) {
    c.setLayout(index < count - 1 ? Layout.CHUNKS : Layout.WHOLE);
    return slice.block(index, count);
  }

  static void forEachChunk(CollectiveOperation c, Slice<?> slice, Consumer<Slice<?>> part) {
    var count = chunks(slice);
    for (var i = 0; i < count; i++) {
      part.accept(beginChunk(c, slice, i, count));
    }
  }

  /**
   * Reduces a slice in chunks if a host can have a board, whose members overlap them, and in one
   * piece otherwise. Whether the board is in use makes no difference, so that the leaders of the
   * other hosts need not know.
   */
  private static void reduceInChunks(
      CollectiveOperation c, Slice<?> slice, Consumer<Slice<?>> part) {
    if (c.communicator().canHaveHostBoards()) {
      forEachChunk(c, slice, part);
    } else {
      part.accept(slice);
    }
  }

  // Broadcast

  static void broadcast(CollectiveOperation c, int root, Slice<?> slice) {
    c.use(CollectiveAlgorithm.BINOMIAL);
    broadcast(c, c.communicator().hierarchy().levels(root), slice, any -> {});
  }

  /**
   * Broadcasts from far to near in chunks. All members compute the number of chunks from the length
   * alone, as only those at the top level know whether the slice was scattered there.
   *
   * @param arrived gets each chunk, in order, when this member has it and has sent it on
   */
  static void broadcast(
      CollectiveOperation c,
      List<HierarchyLevel> levels,
      Slice<?> slice,
      Consumer<Slice<?>> arrived) {
    var isScattered = !levels.isEmpty() && isScattered(c, levels.getLast(), slice);
    if (isScattered) {
      c.use(CollectiveAlgorithm.SCATTER_ALL_GATHER);
      scatterAllGather(c, levels.getLast(), slice);
    }
    var lower = isScattered ? levels.subList(0, levels.size() - 1) : levels;
    forEachChunk(
        c,
        slice,
        chunk -> {
          broadcastDown(c, lower, chunk);
          arrived.accept(chunk);
        });
  }

  private static boolean isScattered(CollectiveOperation c, HierarchyLevel level, Slice<?> slice) {
    return level.isTop()
        && switch (c.algorithm()) {
          case SCATTER_ALL_GATHER -> true;
          case BEST -> level.size() > 3 && SliceArrays.bytes(slice) >= 2 * CHUNK;
          default -> false;
        };
  }

  /** From far to near, by a binomial tree in each level. */
  static void broadcastDown(CollectiveOperation c, List<HierarchyLevel> levels, Slice<?> slice) {
    var children = children(levels);
    Object array;
    var farthest = levels.isEmpty() ? null : levels.getLast();
    if (farthest != null && farthest.isLed()) {
      var parent = farthest.rank(farthest.index() & farthest.index() - 1);
      if (children.length == 0) {
        c.receive(parent, slice);
        return;
      }
      array = c.receive(parent, slice.length());
      SliceArrays.fill(slice, array);
    } else if (children.length == 1) {
      c.sendZeroCopy(children[0], slice);
      return;
    } else if (children.length == 0) {
      return;
    } else {
      array = SliceArrays.copyOf(slice);
    }
    for (var child : children) {
      c.send(child, array);
    }
  }

  /** Returns the children of a member, from far to near; those with the largest subtrees first. */
  private static int[] children(List<HierarchyLevel> levels) {
    var children = IntStream.builder();
    for (var level : levels.reversed()) {
      for (var child = highestChild(level); child > 0; child >>= 1) {
        if (level.index() + child < level.size()) {
          children.add(level.rank(level.index() + child));
        }
      }
    }
    return children.build().toArray();
  }

  /** Returns the distance of the farthest child in a full binomial tree. */
  static int highestChild(HierarchyLevel level) {
    return level.index() == 0
        ? Integer.highestOneBit(level.size())
        : Integer.lowestOneBit(level.index()) >> 1;
  }

  private static void scatterAllGather(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice) {
    c.setLayout(Layout.BLOCKS);
    var size = level.size();
    if (!level.isLed()) {
      for (var i = 1; i < size; i++) {
        c.sendZeroCopy(level.rank(i), slice.block(i, size));
      }
      ringAllGather(c, level, slice, size, 0, SliceArrays.copyOf(slice.block(0, size)));
      return;
    }
    var own = slice.block(level.index(), size);
    var array = c.receive(level.rank(0), own.length());
    SliceArrays.fill(own, array);
    ringAllGather(c, level, slice, size, 0, array);
  }

  /** Passes blocks around a ring until all members have all blocks. */
  private static void ringAllGather(
      CollectiveOperation c,
      HierarchyLevel level,
      Slice<?> slice,
      int blocks,
      int ahead,
      Object first) {
    var size = level.size();
    var right = level.rank((level.index() + 1) % size);
    var left = level.rank((level.index() + size - 1) % size);
    var array = first;
    for (var i = 1; i < size; i++) {
      c.transfer(right, array);
      var block = slice.block((level.index() + ahead + size - i) % size, blocks);
      array = c.receive(left, block.length());
      SliceArrays.fill(block, array);
    }
    ArrayPool.put(array);
  }

  // Reductions

  static void reduce(CollectiveOperation c, int root, Slice<?> slice, Operation by) {
    c.use(CollectiveAlgorithm.BINOMIAL);
    var levels = c.communicator().hierarchy().levels(root);
    reduceInChunks(c, slice, part -> reduce(c, levels, part, by));
  }

  /** Combines from near to far, into the slice of the leader of all levels. */
  static void reduce(
      CollectiveOperation c, List<HierarchyLevel> levels, Slice<?> slice, Operation by) {
    Object sum = null;
    for (var level : levels) {
      sum = reduceLevel(c, level, slice, sum, by);
    }
    if (sum != null) {
      SliceArrays.fill(slice, sum);
      ArrayPool.put(sum);
    }
  }

  /**
   * Combines the values of a level by a binomial tree.
   *
   * @param known the values combined on lower levels; {@code null} if those are in the slice
   * @return the combined values at the leader; {@code null} at others, or if the slice has them
   */
  private static @Nullable Object reduceLevel(
      CollectiveOperation c,
      HierarchyLevel level,
      Slice<?> slice,
      @Nullable Object known,
      Operation by) {
    var sum = known;
    for (var distance = 1; distance < level.size(); distance <<= 1) {
      if ((level.index() & distance) != 0) {
        if (sum == null) {
          c.sendZeroCopy(level.rank(level.index() - distance), slice);
        } else {
          c.transfer(level.rank(level.index() - distance), sum);
        }
        return null;
      }
      if (level.index() + distance < level.size()) {
        var other = c.receive(level.rank(level.index() + distance), slice.length());
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
    c.use(CollectiveAlgorithm.BINOMIAL); // unless this member is at the top, too
    var levels = c.communicator().hierarchy().levels(-1);
    reduceInChunks(c, slice, part -> allReduce(c, levels, part, by));
  }

  /** Combines from near to far, among the leaders at the top, and broadcasts from far to near. */
  static void allReduce(
      CollectiveOperation c, List<HierarchyLevel> levels, Slice<?> slice, Operation by) {
    var lower = levels.stream().filter(each -> !each.isTop()).toList();
    reduce(c, lower, slice, by);
    if (lower.size() < levels.size()) {
      allReduceLevel(c, levels.getLast(), slice, by);
    }
    broadcastDown(c, lower, slice);
  }

  private static void allReduceLevel(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by) {
    var algorithm =
        switch (c.algorithm()) {
          case DOUBLING, HALVING, RING -> c.algorithm();
          default -> bestAllReduce(level, SliceArrays.bytes(slice));
        };
    c.use(algorithm);
    switch (algorithm) {
      case DOUBLING -> exchangePowerOfTwo(c, level, slice, by, false);
      case HALVING -> exchangePowerOfTwo(c, level, slice, by, true);
      default -> ringAllReduce(c, level, slice, by);
    }
  }

  private static CollectiveAlgorithm bestAllReduce(HierarchyLevel level, long bytes) {
    if (bytes <= CollectiveAlgorithm.LARGE_BYTES) {
      return CollectiveAlgorithm.DOUBLING;
    }
    return Integer.bitCount(level.size()) == 1
        ? CollectiveAlgorithm.HALVING
        : CollectiveAlgorithm.RING;
  }

  /**
   * Reduces among a power of two of members; each of the others sends its values to a neighbour,
   * which takes part for both.
   */
  private static void exchangePowerOfTwo(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by, boolean inHalves) {
    var size = Integer.highestOneBit(level.size());
    var paired = 2 * (level.size() - size);
    var me = level.index();
    if (me < paired && me % 2 == 1) {
      c.sendZeroCopy(level.rank(me - 1), slice);
      c.receive(level.rank(me - 1), slice);
      return;
    }
    if (me < paired) {
      var other = c.receive(level.rank(me + 1), slice.length());
      combine(by, slice, other);
    }
    var few = new int[size];
    for (var i = 0; i < size; i++) {
      few[i] = level.rank(i < paired / 2 ? 2 * i : i + paired / 2);
    }
    var part = new HierarchyLevel(few, me < paired ? me / 2 : me - paired / 2, true);
    if (inHalves) {
      recursiveHalving(c, part, slice, by);
    } else {
      recursiveDoubling(c, part, slice, by);
    }
    if (me < paired) {
      c.sendZeroCopy(level.rank(me + 1), slice);
    }
  }

  /** Combines an array that this member owns into a slice, and returns the array to the pool. */
  private static void combine(Operation by, Slice<?> into, Object array) {
    ArrayReduction.combine(by, into.array(), into.offset(), array, 0, into.length());
    ArrayPool.put(array);
  }

  private static void recursiveDoubling(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < level.size(); distance <<= 1) {
      var partner = level.rank(level.index() ^ distance);
      c.sendZeroCopy(partner, slice);
      var other = c.receive(partner, slice.length());
      combine(by, slice, other);
    }
  }

  private static void recursiveHalving(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by) {
    var outer = c.layout();
    c.setLayout(Layout.HALVES);
    var blocks = level.size();
    var first = 0; // the first block that this member still reduces
    for (var half = blocks / 2; half > 0; half >>= 1) {
      var partner = level.rank(level.index() ^ half);
      var isLower = (level.index() & half) == 0;
      c.sendZeroCopy(partner, blocks(slice, isLower ? first + half : first, half, blocks));
      first += isLower ? 0 : half;
      var kept = blocks(slice, first, half, blocks);
      combine(by, kept, c.receive(partner, kept.length()));
    }
    c.setLayout(outer);
    for (var count = 1; count < blocks; count <<= 1) {
      var partner = level.rank(level.index() ^ count);
      var others = first ^ count;
      c.exchange(
          partner,
          blocks(slice, first, count, blocks),
          partner,
          blocks(slice, others, count, blocks));
      first = Math.min(first, others);
    }
  }

  /** Returns a range of blocks as one slice. */
  private static Slice<?> blocks(Slice<?> slice, int first, int count, int all) {
    var start = Slice.start(first, all, slice.length());
    return slice.from(start, Slice.start(first + count, all, slice.length()) - start);
  }

  /** Passes each block around the ring, combining it at each member, and then once more. */
  private static void ringAllReduce(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by) {
    var outer = c.layout();
    c.setLayout(Layout.BLOCKS);
    var size = level.size();
    var right = level.rank((level.index() + 1) % size);
    var left = level.rank((level.index() + size - 1) % size);
    Object sum = SliceArrays.copyOf(slice.block(level.index(), size));
    var block = slice.block(level.index(), size);
    for (var i = 1; i < size; i++) {
      c.transfer(right, sum);
      block = slice.block((level.index() + size - i) % size, size);
      sum = c.receive(left, block.length());
      ArrayReduction.combine(by, sum, 0, block.array(), block.offset(), block.length());
    }
    SliceArrays.fill(block, sum);
    c.setLayout(outer);
    ringAllGather(c, level, slice, size, 1, sum);
  }

  /** Scans each cluster, then passes the total of the preceding clusters on, as for objects. */
  static void scan(CollectiveOperation c, Slice<?> slice, Operation by) {
    c.use(CollectiveAlgorithm.DOUBLING);
    var clusters = c.communicator().hierarchy().byCluster();
    if (clusters.length == 1 || !c.communicator().hierarchy().hasConsecutiveClusters()) {
      scan(c, c.communicator().hierarchy().allMembers(), slice, by);
      return;
    }
    var own = c.communicator().hierarchy().ownCluster();
    var ranks = clusters[own];
    var last = ranks[ranks.length - 1];
    scan(c, HierarchyLevel.of(ranks, c.rank(), false), slice, by);
    var toNext =
        c.rank() == last && own + 1 < clusters.length
            ? clusters[own + 1][clusters[own + 1].length - 1]
            : -1;
    if (own == 0) {
      if (toNext >= 0) {
        c.sendZeroCopy(toNext, slice);
      }
      return;
    }
    var before = SliceArrays.wrap(slice, SliceArrays.newArray(slice, slice.length()));
    if (c.rank() == last) {
      c.receive(ranks[0] - 1, before);
      ArrayReduction.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
      if (toNext >= 0) {
        c.sendZeroCopy(toNext, slice);
      }
    }
    broadcastDown(
        c, List.of(HierarchyLevel.of(HierarchyLevel.ledBy(last, ranks), c.rank(), false)), before);
    if (c.rank() != last) {
      ArrayReduction.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
    }
  }

  private static void scan(
      CollectiveOperation c, HierarchyLevel level, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < level.size(); distance <<= 1) {
      if (level.index() + distance < level.size()) {
        c.sendZeroCopy(level.rank(level.index() + distance), slice);
      }
      if (level.index() >= distance) {
        combine(by, slice, c.receive(level.rank(level.index() - distance), slice.length()));
      }
    }
  }
}
