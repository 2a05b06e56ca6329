package org.troupe.groups.spmd;

import java.util.Arrays;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.CollectiveOperation.Way;

/** Collectives in which each member has, or gets, a part of a slice of numbers: its block. */
final class BlockCollectives {

  /*
   * Layout
   *
   * A member that represents others sends their blocks as one array, in the order of ranks. Only
   * the first blocks of a whole may be longer by one element, so the blocks of a range of members
   * form again a whole of as many blocks, and a receiver can cut it without knowing its origin.
   */

  private BlockCollectives() {}

  /** As {@link ObjectCollectives#scatter}. */
  static <A> void scatter(CollectiveOperation c, int root, Slice<A> whole, Slice<A> part) {
    Slice<?> known = whole; // the blocks of the members that this one represents
    var ranks = c.communicator().everybody().ranks();
    if (c.rank() == root) {
      own(c, part, whole.block(root, c.size()), part);
    }
    for (var team : c.communicator().levels(root).reversed()) {
      if (!team.isLed()) {
        for (var i = 1; i < team.size(); i++) {
          c.give(team.rank(i), bundle(known, ranks, team.under()[i]));
        }
        continue;
      }
      ranks = team.under()[team.me()];
      if (ranks.length == 1) {
        c.receive(team.rank(0), part);
        return;
      }
      known = part.over(c.receive(team.rank(0)));
      var own = known.block(Arrays.binarySearch(ranks, c.rank()), ranks.length);
      c.checkLength(team.rank(0), own.length(), part.length());
      part.fill(own.array(), own.offset());
    }
    if (known != whole) {
      ArrayPool.put(known.array());
    }
  }

  /** The blocks of some of those who have blocks in a slice. */
  private static Object bundle(Slice<?> blocks, int[] ranks, int[] some) {
    var parts =
        Arrays.stream(some)
            .mapToObj(each -> blocks.block(Arrays.binarySearch(ranks, each), ranks.length))
            .toArray(Slice<?>[]::new);
    return joined(parts);
  }

  private static Object joined(Slice<?>... parts) {
    if (parts.length == 1) {
      return parts[0].copy();
    }
    var all = parts[0].empty(Arrays.stream(parts).mapToInt(Slice::length).sum());
    var at = 0;
    for (var part : parts) {
      System.arraycopy(part.array(), part.offset(), all, at, part.length());
      at += part.length();
    }
    return all;
  }

  /** As {@link ObjectCollectives#gather}. */
  static <A> void gather(CollectiveOperation c, int root, Slice<A> part, Slice<A> whole) {
    if (c.rank() == root) {
      own(c, part, part, whole.block(root, c.size()));
    }
    var known = new Slice<?>[c.size()]; // the parts of the members that this one represents
    known[c.rank()] = part;
    for (var team : c.communicator().levels(root)) {
      if (team.isLed()) {
        c.give(team.rank(0), joined(c, known, team.under()[team.me()]));
        return;
      }
      for (var missing = ObjectCollectives.others(team); !missing.isEmpty(); ) {
        var letter = c.receiveAny(missing);
        var ranks = team.under()[team.indexOf(letter.from())];
        var parts = part.over(letter.parcel().value());
        for (var i = 0; i < ranks.length; i++) {
          known[ranks[i]] = parts.block(i, ranks.length);
          if (c.rank() == root) {
            put(c, letter.from(), known[ranks[i]], whole.block(ranks[i], c.size()));
          }
        }
        if (c.rank() == root) {
          ArrayPool.put(parts.array());
        }
        missing.clear(letter.from());
      }
    }
  }

  private static void put(CollectiveOperation c, int from, Slice<?> part, Slice<?> into) {
    c.checkLength(from, part.length(), into.length());
    into.fill(part.array(), part.offset());
  }

  /** The parts of some members as one; they must be such as a whole is cut in. */
  private static Object joined(CollectiveOperation c, Slice<?>[] known, int[] ranks) {
    var parts = Arrays.stream(ranks).mapToObj(each -> known[each]).toArray(Slice<?>[]::new);
    var length = Arrays.stream(parts).mapToInt(Slice::length).sum();
    for (var i = 0; i < ranks.length; i++) {
      c.checkLength(ranks[i], parts[i].length(), Slice.length(i, ranks.length, length));
    }
    return joined(parts);
  }

  /** What a member has for itself. */
  private static void own(CollectiveOperation c, Slice<?> part, Slice<?> from, Slice<?> to) {
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
    own(c, part, part, whole.block(c.rank(), c.size()));
    if (c.size() == 1) {
      return;
    }
    if (c.algorithm() == CollectiveAlgorithm.BEST && c.communicator().byCluster().length > 1) {
      allGatherFromFar(c, whole);
      return;
    }
    var isRing =
        switch (c.algorithm()) {
          case RING -> true;
          case DOUBLING -> false;
          default -> c.size() == 2 || whole.bytes() > ArrayCollectives.LARGE;
        };
    if (isRing) {
      allGatherRound(c, whole);
    } else {
      doubling(c, whole);
    }
  }

  /** Each passes on what came last. */
  private static void allGatherRound(CollectiveOperation c, Slice<?> whole) {
    c.goes(Way.BLOCKS);
    var team = c.communicator().ring();
    var size = team.size();
    for (var i = 1; i < size; i++) {
      c.exchange(
          team.rank((team.me() + 1) % size),
          whole.block(team.rank((team.me() + 1 + size - i) % size), size),
          team.rank((team.me() + size - 1) % size),
          whole.block(team.rank((team.me() + size - i) % size), size));
    }
  }

  /** Leaders gather; those of all clusters exchange, and give theirs the whole. */
  private static void allGatherFromFar(CollectiveOperation c, Slice<?> whole) {
    var levels = c.communicator().levels(-1);
    for (var team : levels) {
      var size = team.size();
      if (team.isTop()) {
        var own = joined(blocks(whole, c, team.under()[team.me()]));
        for (var i = 1; i < size; i++) {
          c.send(team.rank((team.me() + i) % size), own);
        }
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, team, (team.me() + size - i) % size, whole);
        }
      } else if (team.isLed()) {
        c.give(team.rank(0), joined(blocks(whole, c, team.under()[team.me()])));
      } else {
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, team, i, whole);
        }
      }
    }
    ArrayCollectives.downInChunks(c, levels.stream().filter(each -> !each.isTop()).toList(), whole);
  }

  /** Receives the blocks of those for whom one of a team stands. */
  private static void receiveBlocks(
      CollectiveOperation c, HierarchyLevel team, int from, Slice<?> whole) {
    var blocks = blocks(whole, c, team.under()[from]);
    if (blocks.length == 1) {
      c.receive(team.rank(from), blocks[0]);
      return;
    }
    var length = Arrays.stream(blocks).mapToInt(Slice::length).sum();
    var array = c.receive(team.rank(from), length);
    var at = 0;
    for (var block : blocks) {
      block.fill(array, at);
      at += block.length();
    }
    if (!team.isTop()) { // at the top, other members have received it, too
      ArrayPool.put(array);
    }
  }

  private static Slice<?>[] blocks(Slice<?> whole, CollectiveOperation c, int[] ranks) {
    return Arrays.stream(ranks)
        .mapToObj(each -> whole.block(each, c.size()))
        .toArray(Slice<?>[]::new);
  }

  /** Bruck's: each time from twice as far, twice as many blocks, for any number of members. */
  private static void doubling(CollectiveOperation c, Slice<?> whole) {
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
      ArrayPool.put(blocks);
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

  /** As {@link ObjectCollectives#allToAll}; in one cluster, if an algorithm is named. */
  static <A> void allToAll(CollectiveOperation c, Slice<A> parts, Slice<A> received) {
    var mine = parts.block(c.rank(), c.size());
    own(c, mine, mine, received.block(c.rank(), c.size()));
    var clusters = c.communicator().byCluster();
    if (clusters.length == 1 || c.algorithm() != CollectiveAlgorithm.BEST) {
      exchange(c, c.communicator().everybody(), parts, received);
      return;
    }
    var cluster = HierarchyLevel.of(clusters[c.communicator().ownCluster()], c.rank(), false);
    exchange(c, cluster, parts, received);
    var far = c.communicator().ofOtherClusters();
    var length = far.length * mine.length();
    var forFar = bundle(parts, c.communicator().everybody().ranks(), far);
    Object came;
    if (cluster.isLed()) {
      c.give(cluster.rank(0), forFar);
      came = c.receive(cluster.rank(0), length);
    } else {
      var rows =
          new Slice<?>[cluster.size()]; // by member of the cluster: its data for other clusters
      rows[0] = parts.over(forFar);
      for (var i = 1; i < cluster.size(); i++) {
        rows[i] = parts.over(c.receive(cluster.rank(i), length));
      }
      var theirs = exchanged(c, rows, far);
      for (var i = 1; i < cluster.size(); i++) {
        c.give(cluster.rank(i), theirs[i].array());
      }
      came = theirs[0].array();
    }
    for (var i = 0; i < far.length; i++) {
      received.block(far[i], c.size()).fill(came, i * mine.length());
    }
    ArrayPool.put(came);
  }

  /** Among those of a team, each with each. */
  private static void exchange(
      CollectiveOperation c, HierarchyLevel team, Slice<?> parts, Slice<?> received) {
    var size = team.size();
    var isPairwise = isPairwise(c, parts.bytes() / c.size());
    for (var i = 1; i < size; i++) {
      var to = team.rank((team.me() + i) % size);
      var block = parts.block(to, c.size());
      if (isPairwise) {
        var from = team.rank((team.me() + size - i) % size);
        c.exchange(to, block, from, received.block(from, c.size()));
      } else {
        c.lend(to, block);
      }
    }
    if (isPairwise) {
      return;
    }
    var missing = ObjectCollectives.others(team);
    while (missing.cardinality() > 1) {
      var letter = c.receiveAny(missing);
      c.fill(received.block(letter.from(), c.size()), letter);
      missing.clear(letter.from());
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
  private static Slice<?>[] exchanged(CollectiveOperation c, Slice<?>[] rows, int[] far) {
    var clusters = c.communicator().byCluster();
    var own = c.communicator().ownCluster();
    for (var i = 1; i < clusters.length; i++) {
      var to = clusters[(own + i) % clusters.length];
      var parts =
          Arrays.stream(rows)
              .flatMap(
                  row ->
                      Arrays.stream(to)
                          .mapToObj(each -> row.block(Arrays.binarySearch(far, each), far.length)))
              .toArray(Slice<?>[]::new);
      c.give(to[0], joined(parts));
    }
    var came = new Slice<?>[rows.length];
    Arrays.setAll(came, each -> rows[each].over(rows[each].empty(rows[each].length())));
    for (var i = 1; i < clusters.length; i++) {
      var from = clusters[(own + clusters.length - i) % clusters.length];
      var part = rows[0].length() / far.length;
      var array = c.receive(from[0], from.length * rows.length * part);
      var at = 0;
      for (var sender : from) {
        for (var its : came) {
          its.block(Arrays.binarySearch(far, sender), far.length).fill(array, at);
          at += part;
        }
      }
      ArrayPool.put(array);
    }
    return came;
  }

  /** Says whether parts are so large that all at once would only crowd the way. */
  private static boolean isPairwise(CollectiveOperation c, long bytes) {
    return switch (c.algorithm()) {
      case PAIRWISE -> true;
      case CONCURRENT -> false;
      default -> bytes > ArrayCollectives.CHUNK;
    };
  }
}
