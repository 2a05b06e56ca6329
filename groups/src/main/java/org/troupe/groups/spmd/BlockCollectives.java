package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.Objects;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.CollectiveOperation.Layout;

/** Collectives in which each member contributes or receives its block of a slice of numbers. */
final class BlockCollectives {

  /*
   * Layout
   *
   * A member that represents others sends their blocks as one array, in the order of ranks. Only
   * the first blocks of a whole may be longer by one element, so the blocks of a range of members
   * form again a whole of as many blocks, and a receiver can cut it without knowing its origin.
   */

  private BlockCollectives() {}

  /**
   * Scatters from far to near: the leader of a level sends each member the blocks that it
   * represents.
   */
  static <A> void scatter(CollectiveOperation c, int root, Slice<A> whole, Slice<A> part) {
    c.use(CollectiveAlgorithm.CONCURRENT);
    Slice<?> known = whole; // the blocks of the members that this one represents
    var ranks = c.communicator().hierarchy().allMembers().ranks();
    if (c.rank() == root) {
      copyOwnBlock(c, part, whole.block(root, c.size()), part);
    }
    for (var level : c.communicator().hierarchy().levels(root).reversed()) {
      if (!level.isLed()) {
        for (var i = 1; i < level.size(); i++) {
          c.transfer(level.rank(i), bundle(known, ranks, level.represented()[i]));
        }
        continue;
      }
      ranks = level.represented()[level.index()];
      if (ranks.length == 1) {
        c.receive(level.rank(0), part);
        return;
      }
      known = SliceArrays.wrap(part, c.receive(level.rank(0)));
      var own = known.block(Arrays.binarySearch(ranks, c.rank()), ranks.length);
      c.checkLength(level.rank(0), own.length(), part.length());
      SliceArrays.fill(part, own.array(), own.offset());
    }
    if (known != whole) {
      ArrayPool.put(known.array());
    }
  }

  /**
   * Returns the blocks of some members in one array.
   *
   * @param ranks all members that have blocks in the slice, in order
   */
  private static Object bundle(Slice<?> blocks, int[] ranks, int[] some) {
    var parts =
        Arrays.stream(some)
            .mapToObj(each -> blocks.block(Arrays.binarySearch(ranks, each), ranks.length))
            .toArray(Slice<?>[]::new);
    return concatenate(parts);
  }

  private static Object concatenate(Slice<?>... parts) {
    if (parts.length == 1) {
      return SliceArrays.copyOf(parts[0]);
    }
    var all = SliceArrays.newArray(parts[0], Arrays.stream(parts).mapToInt(Slice::length).sum());
    var at = 0;
    for (var part : parts) {
      System.arraycopy(part.array(), part.offset(), all, at, part.length());
      at += part.length();
    }
    return all;
  }

  /**
   * Gathers from near to far: each member of a level sends the blocks that it represents to the
   * leader.
   */
  static <A> void gather(CollectiveOperation c, int root, Slice<A> part, Slice<A> whole) {
    c.use(CollectiveAlgorithm.CONCURRENT);
    if (c.rank() == root) {
      copyOwnBlock(c, part, part, whole.block(root, c.size()));
    }
    var known = new Slice<?>[c.size()]; // the parts of the members that this one represents
    known[c.rank()] = part;
    for (var level : c.communicator().hierarchy().levels(root)) {
      if (level.isLed()) {
        c.transfer(level.rank(0), concatenate(c, known, level.represented()[level.index()]));
        return;
      }
      for (var missing = ObjectCollectives.otherRanks(level); !missing.isEmpty(); ) {
        var message = c.receiveAny(missing);
        var ranks = level.represented()[level.indexOf(message.from())];
        var array = Objects.requireNonNull(message.packet().value(), "members send arrays");
        var parts = SliceArrays.wrap(part, array);
        for (var i = 0; i < ranks.length; i++) {
          known[ranks[i]] = parts.block(i, ranks.length);
          if (c.rank() == root) {
            put(c, message.from(), known[ranks[i]], whole.block(ranks[i], c.size()));
          }
        }
        if (c.rank() == root) {
          ArrayPool.put(parts.array());
        }
        missing.clear(message.from());
      }
    }
  }

  private static void put(CollectiveOperation c, int from, Slice<?> part, Slice<?> into) {
    c.checkLength(from, part.length(), into.length());
    SliceArrays.fill(into, part.array(), part.offset());
  }

  /** Returns the parts of some members in one array; checks that they are blocks of a whole. */
  private static Object concatenate(CollectiveOperation c, Slice<?>[] known, int[] ranks) {
    var parts = Arrays.stream(ranks).mapToObj(each -> known[each]).toArray(Slice<?>[]::new);
    var length = Arrays.stream(parts).mapToInt(Slice::length).sum();
    for (var i = 0; i < ranks.length; i++) {
      c.checkLength(ranks[i], parts[i].length(), Slice.length(i, ranks.length, length));
    }
    return concatenate(parts);
  }

  /** Copies the own block of a member. */
  private static void copyOwnBlock(
      CollectiveOperation c, Slice<?> part, Slice<?> from, Slice<?> to) {
    if (from.length() != to.length()) {
      throw new CollectiveException(
          c.communicator().describe(c.rank())
              + " has a part of "
              + part.length()
              + " numbers where the whole has "
              + (from == part ? to : from).length()
              + " for it; see Slice.block");
    }
    System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), to.length());
  }

  static <A> void allGather(CollectiveOperation c, Slice<A> part, Slice<A> whole) {
    copyOwnBlock(c, part, part, whole.block(c.rank(), c.size()));
    if (c.size() == 1) {
      return;
    }
    if (c.algorithm() == CollectiveAlgorithm.BEST
        && c.communicator().hierarchy().byCluster().length > 1) {
      c.use(CollectiveAlgorithm.CONCURRENT);
      hierarchicalAllGather(c, whole);
      return;
    }
    var isRing =
        switch (c.algorithm()) {
          case RING -> true;
          case DOUBLING -> false;
          default -> c.size() == 2 || SliceArrays.bytes(whole) > CollectiveAlgorithm.LARGE_BYTES;
        };
    c.use(isRing ? CollectiveAlgorithm.RING : CollectiveAlgorithm.DOUBLING);
    if (isRing) {
      ringAllGather(c, whole);
    } else {
      bruckAllGather(c, whole);
    }
  }

  /** Each member forwards the block that it received last. */
  private static void ringAllGather(CollectiveOperation c, Slice<?> whole) {
    c.setLayout(Layout.BLOCKS);
    var level = c.communicator().hierarchy().ring();
    var size = level.size();
    for (var i = 1; i < size; i++) {
      c.exchange(
          level.rank((level.index() + 1) % size),
          whole.block(level.rank((level.index() + 1 + size - i) % size), size),
          level.rank((level.index() + size - 1) % size),
          whole.block(level.rank((level.index() + size - i) % size), size));
    }
  }

  /**
   * Gathers at the leaders, exchanges between those of all clusters, and broadcasts in each
   * cluster.
   */
  private static void hierarchicalAllGather(CollectiveOperation c, Slice<?> whole) {
    var levels = c.communicator().hierarchy().levels(-1);
    for (var level : levels) {
      var size = level.size();
      if (level.isTop()) {
        var own = concatenate(blocks(whole, c, level.represented()[level.index()]));
        for (var i = 1; i < size; i++) {
          c.send(level.rank((level.index() + i) % size), own);
        }
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, level, (level.index() + size - i) % size, whole);
        }
      } else if (level.isLed()) {
        c.transfer(
            level.rank(0), concatenate(blocks(whole, c, level.represented()[level.index()])));
      } else {
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, level, i, whole);
        }
      }
    }
    var lower = levels.stream().filter(each -> !each.isTop()).toList();
    ArrayCollectives.forEachChunk(
        c, whole, chunk -> ArrayCollectives.broadcastDown(c, lower, chunk));
  }

  /** Receives the blocks that a member of a level represents. */
  private static void receiveBlocks(
      CollectiveOperation c, HierarchyLevel level, int from, Slice<?> whole) {
    var blocks = blocks(whole, c, level.represented()[from]);
    if (blocks.length == 1) {
      c.receive(level.rank(from), blocks[0]);
      return;
    }
    var length = Arrays.stream(blocks).mapToInt(Slice::length).sum();
    var array = c.receive(level.rank(from), length);
    var at = 0;
    for (var block : blocks) {
      SliceArrays.fill(block, array, at);
      at += block.length();
    }
    if (!level.isTop()) { // at the top, other members have received it, too
      ArrayPool.put(array);
    }
  }

  private static Slice<?>[] blocks(Slice<?> whole, CollectiveOperation c, int[] ranks) {
    return Arrays.stream(ranks)
        .mapToObj(each -> whole.block(each, c.size()))
        .toArray(Slice<?>[]::new);
  }

  /**
   * Uses Bruck's algorithm: each step receives twice as many blocks from twice the distance. Works
   * for any number of members.
   */
  private static void bruckAllGather(CollectiveOperation c, Slice<?> whole) {
    var size = c.size();
    for (var have = 1; have < size; have <<= 1) {
      var count = Math.min(have, size - have);
      var to = (c.rank() + size - have) % size;
      var from = (c.rank() + have) % size;
      c.transfer(to, packBlocks(whole, c.rank(), count, size));
      var blocks = c.receive(from, lengthOf(whole, from, count, size));
      var at = 0;
      for (var i = 0; i < count; i++) {
        var block = whole.block((from + i) % size, size);
        SliceArrays.fill(block, blocks, at);
        at += block.length();
      }
      ArrayPool.put(blocks);
    }
  }

  private static Object packBlocks(Slice<?> whole, int first, int count, int size) {
    var packed = SliceArrays.newArray(whole, lengthOf(whole, first, count, size));
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

  /**
   * Exchanges directly within a cluster, and through the first members of the clusters between
   * them. With an algorithm other than the best, all members exchange directly.
   */
  static <A> void allToAll(CollectiveOperation c, Slice<A> parts, Slice<A> received) {
    var mine = parts.block(c.rank(), c.size());
    copyOwnBlock(c, mine, mine, received.block(c.rank(), c.size()));
    var clusters = c.communicator().hierarchy().byCluster();
    if (clusters.length == 1 || c.algorithm() != CollectiveAlgorithm.BEST) {
      exchange(c, c.communicator().hierarchy().allMembers(), parts, received);
      return;
    }
    var cluster =
        HierarchyLevel.of(clusters[c.communicator().hierarchy().ownCluster()], c.rank(), false);
    exchange(c, cluster, parts, received);
    var far = c.communicator().hierarchy().ofOtherClusters();
    var length = far.length * mine.length();
    var forFar = bundle(parts, c.communicator().hierarchy().allMembers().ranks(), far);
    Object fromOthers;
    if (cluster.isLed()) {
      c.transfer(cluster.rank(0), forFar);
      fromOthers = c.receive(cluster.rank(0), length);
    } else {
      var rows =
          new Slice<?>[cluster.size()]; // by member of the cluster: its data for other clusters
      rows[0] = SliceArrays.wrap(parts, forFar);
      for (var i = 1; i < cluster.size(); i++) {
        rows[i] = SliceArrays.wrap(parts, c.receive(cluster.rank(i), length));
      }
      var rowsReceived = exchangeBetweenClusters(c, rows, far);
      for (var i = 1; i < cluster.size(); i++) {
        c.transfer(cluster.rank(i), rowsReceived[i].array());
      }
      fromOthers = rowsReceived[0].array();
    }
    for (var i = 0; i < far.length; i++) {
      SliceArrays.fill(received.block(far[i], c.size()), fromOthers, i * mine.length());
    }
    ArrayPool.put(fromOthers);
  }

  /** Exchanges directly between all members of a level. */
  private static void exchange(
      CollectiveOperation c, HierarchyLevel level, Slice<?> parts, Slice<?> received) {
    var size = level.size();
    var isPairwise = isPairwise(c, SliceArrays.bytes(parts) / c.size());
    c.use(isPairwise ? CollectiveAlgorithm.PAIRWISE : CollectiveAlgorithm.CONCURRENT);
    for (var i = 1; i < size; i++) {
      var to = level.rank((level.index() + i) % size);
      var block = parts.block(to, c.size());
      if (isPairwise) {
        var from = level.rank((level.index() + size - i) % size);
        c.exchange(to, block, from, received.block(from, c.size()));
      } else {
        c.sendZeroCopy(to, block);
      }
    }
    if (isPairwise) {
      return;
    }
    var missing = ObjectCollectives.otherRanks(level);
    while (missing.cardinality() > 1) {
      var message = c.receiveAny(missing);
      c.fill(received.block(message.from(), c.size()), message);
      missing.clear(message.from());
    }
    if (!missing.isEmpty()) {
      var last = missing.nextSetBit(0);
      c.receive(last, received.block(last, c.size()));
    }
  }

  /**
   * The first members of all clusters exchange the data between clusters.
   *
   * @param rows the data of each member of this cluster for members of others
   * @return the data for each member of this cluster
   */
  private static Slice<?>[] exchangeBetweenClusters(
      CollectiveOperation c, Slice<?>[] rows, int[] far) {
    var clusters = c.communicator().hierarchy().byCluster();
    var own = c.communicator().hierarchy().ownCluster();
    for (var i = 1; i < clusters.length; i++) {
      var to = clusters[(own + i) % clusters.length];
      var parts =
          Arrays.stream(rows)
              .flatMap(
                  row ->
                      Arrays.stream(to)
                          .mapToObj(each -> row.block(Arrays.binarySearch(far, each), far.length)))
              .toArray(Slice<?>[]::new);
      c.transfer(to[0], concatenate(parts));
    }
    var fromOthers = new Slice<?>[rows.length];
    Arrays.setAll(
        fromOthers,
        each ->
            SliceArrays.wrap(rows[each], SliceArrays.newArray(rows[each], rows[each].length())));
    for (var i = 1; i < clusters.length; i++) {
      var from = clusters[(own + clusters.length - i) % clusters.length];
      var part = rows[0].length() / far.length;
      var array = c.receive(from[0], from.length * rows.length * part);
      var at = 0;
      for (var sender : from) {
        for (var its : fromOthers) {
          SliceArrays.fill(its.block(Arrays.binarySearch(far, sender), far.length), array, at);
          at += part;
        }
      }
      ArrayPool.put(array);
    }
    return fromOthers;
  }

  /** Returns whether parts are so large that concurrent transfers would only compete. */
  private static boolean isPairwise(CollectiveOperation c, long bytes) {
    return switch (c.algorithm()) {
      case PAIRWISE -> true;
      case CONCURRENT -> false;
      default -> bytes > ArrayCollectives.CHUNK;
    };
  }
}
