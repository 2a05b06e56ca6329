package org.troupe.groups;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.groups.Collective.Way;

/** Collectives on slices of arrays of numbers. */
final class Numbers {

  /*
   * An array that was sent is never changed again, by either side. One that was made for one receiver only is given: that
   * one may go on with it, so that reductions combine into what they receive, and relays hand on what they have received.
   * What is in a user's array and goes to one member is lent, and who waits to fill a user's array waits for it there: so
   * each number is copied once where it leaves and once where it arrives. Who has no more use for an array that is its own
   * leaves it to whoever needs the next.
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
    downInChunks(c, levels, slice);
  }

  /** In as many for all, as not all know whether it was scattered. */
  private static void downInChunks(Collective c, List<Team> levels, Slice<?> slice) {
    var count = (int) Math.max(1, slice.bytes() / CHUNK);
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
    var part = new Team(few, me < paired ? me / 2 : me - paired / 2, true);
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
    Elements.combine(by, into.array(), into.offset(), array, 0, into.length());
    Attachment.leave(array);
  }

  private static void doubling(Collective c, Team team, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      var partner = team.rank(team.me() ^ distance);
      c.lend(partner, slice);
      var other = c.receive(partner, slice.length());
      combine(by, slice, other);
    }
  }

  private static void halves(Collective c, Team team, Slice<?> slice, Operation by) {
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

  /** As {@link Values#scan}. */
  static void scan(Collective c, Slice<?> slice, Operation by) {
    var clusters = c.seat().byCluster();
    if (clusters.length == 1 || !c.seat().isInOrder()) {
      scan(c, c.seat().everybody(), slice, by);
      return;
    }
    var own = c.seat().ownCluster();
    var ranks = clusters[own];
    var last = ranks[ranks.length - 1];
    scan(c, Team.of(ranks, c.rank(), false), slice, by);
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
      Elements.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
      if (toNext >= 0) {
        c.lend(toNext, slice);
      }
    }
    down(c, List.of(Team.of(Team.ledBy(last, ranks), c.rank(), false)), before);
    if (c.rank() != last) {
      Elements.combine(by, slice.array(), slice.offset(), before.array(), 0, slice.length());
    }
  }

  private static void scan(Collective c, Team team, Slice<?> slice, Operation by) {
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if (team.me() + distance < team.size()) {
        c.lend(team.rank(team.me() + distance), slice);
      }
      if (team.me() >= distance) {
        combine(by, slice, c.receive(team.rank(team.me() - distance), slice.length()));
      }
    }
  }

  // Parts

  /*
   * Blocks of members for whom somebody stands travel as one array, in the order of ranks. The first blocks of a whole are
   * those that may be longer by one, so what some of them make is again a whole of as many blocks: who gets it can cut it
   * without knowing where it comes from.
   */

  /** As {@link Values#scatter}. */
  static <A> void scatter(Collective c, int root, Slice<A> whole, Slice<A> part) {
    Slice<?> known = whole; // the blocks of those for whom this member stands
    var ranks = c.seat().everybody().ranks();
    if (c.rank() == root) {
      own(c, part, whole.block(root, c.size()), part);
    }
    for (var team : c.seat().levels(root).reversed()) {
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
      Attachment.leave(known.array());
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

  /** As {@link Values#gather}. */
  static <A> void gather(Collective c, int root, Slice<A> part, Slice<A> whole) {
    if (c.rank() == root) {
      own(c, part, part, whole.block(root, c.size()));
    }
    var known = new Slice<?>[c.size()]; // the parts of those for whom this member stands
    known[c.rank()] = part;
    for (var team : c.seat().levels(root)) {
      if (team.isLed()) {
        c.give(team.rank(0), joined(c, known, team.under()[team.me()]));
        return;
      }
      for (var missing = Values.others(team); !missing.isEmpty(); ) {
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
          Attachment.leave(parts.array());
        }
        missing.clear(letter.from());
      }
    }
  }

  private static void put(Collective c, int from, Slice<?> part, Slice<?> into) {
    c.checkLength(from, part.length(), into.length());
    into.fill(part.array(), part.offset());
  }

  /** The parts of some members as one; they must be such as a whole is cut in. */
  private static Object joined(Collective c, Slice<?>[] known, int[] ranks) {
    var parts = Arrays.stream(ranks).mapToObj(each -> known[each]).toArray(Slice<?>[]::new);
    var length = Arrays.stream(parts).mapToInt(Slice::length).sum();
    for (var i = 0; i < ranks.length; i++) {
      c.checkLength(ranks[i], parts[i].length(), Slice.length(i, ranks.length, length));
    }
    return joined(parts);
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
    if (c.size() == 1) {
      return;
    }
    if (c.algorithm() == Algorithm.BEST && c.seat().byCluster().length > 1) {
      allGatherFromFar(c, whole);
      return;
    }
    var isRing =
        switch (c.algorithm()) {
          case RING -> true;
          case DOUBLING -> false;
          default -> c.size() == 2 || whole.bytes() > LARGE;
        };
    if (isRing) {
      allGatherRound(c, whole);
    } else {
      doubling(c, whole);
    }
  }

  /** Each passes on what came last. */
  private static void allGatherRound(Collective c, Slice<?> whole) {
    c.goes(Way.BLOCKS);
    var team = c.seat().ring();
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
  private static void allGatherFromFar(Collective c, Slice<?> whole) {
    var levels = c.seat().levels(-1);
    for (var team : levels) {
      var size = team.size();
      if (team.isTop()) {
        for (var i = 1; i < size; i++) {
          sendBlocks(c, team, (team.me() + i) % size, whole);
        }
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, team, (team.me() + size - i) % size, whole);
        }
      } else if (team.isLed()) {
        sendBlocks(c, team, 0, whole);
      } else {
        for (var i = 1; i < size; i++) {
          receiveBlocks(c, team, i, whole);
        }
      }
    }
    downInChunks(c, levels.stream().filter(each -> !each.isTop()).toList(), whole);
  }

  /** Sends one of a team the blocks of those for whom this member stands. */
  private static void sendBlocks(Collective c, Team team, int to, Slice<?> whole) {
    var blocks = blocks(whole, c, team.under()[team.me()]);
    if (blocks.length == 1) {
      c.lend(team.rank(to), blocks[0]);
    } else {
      c.give(team.rank(to), joined(blocks));
    }
  }

  /** Receives the blocks of those for whom one of a team stands. */
  private static void receiveBlocks(Collective c, Team team, int from, Slice<?> whole) {
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
    Attachment.leave(array);
  }

  private static Slice<?>[] blocks(Slice<?> whole, Collective c, int[] ranks) {
    return Arrays.stream(ranks)
        .mapToObj(each -> whole.block(each, c.size()))
        .toArray(Slice<?>[]::new);
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

  /** As {@link Values#allToAll}; in one cluster, if an algorithm is named. */
  static <A> void allToAll(Collective c, Slice<A> parts, Slice<A> received) {
    var mine = parts.block(c.rank(), c.size());
    own(c, mine, mine, received.block(c.rank(), c.size()));
    var clusters = c.seat().byCluster();
    if (clusters.length == 1 || c.algorithm() != Algorithm.BEST) {
      exchange(c, c.seat().everybody(), parts, received);
      return;
    }
    var cluster = Team.of(clusters[c.seat().ownCluster()], c.rank(), false);
    exchange(c, cluster, parts, received);
    var far = c.seat().ofOtherClusters();
    var length = far.length * mine.length();
    var forFar = bundle(parts, c.seat().everybody().ranks(), far);
    Object came;
    if (cluster.isLed()) {
      c.give(cluster.rank(0), forFar);
      came = c.receive(cluster.rank(0), length);
    } else {
      var rows = new Slice<?>[cluster.size()]; // what each of the cluster has for those far away
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
    Attachment.leave(came);
  }

  /** Among those of a team, each with each. */
  private static void exchange(Collective c, Team team, Slice<?> parts, Slice<?> received) {
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
    var missing = Values.others(team);
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
   * The first members of all clusters exchange what those have for each other.
   *
   * @param rows what each member of this cluster has for each of those far away
   * @return what each of them gets from those
   */
  private static Slice<?>[] exchanged(Collective c, Slice<?>[] rows, int[] far) {
    var clusters = c.seat().byCluster();
    var own = c.seat().ownCluster();
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
      Attachment.leave(array);
    }
    return came;
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
