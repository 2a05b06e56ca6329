package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Collectives on objects. Operators are applied in the order of ranks. */
final class ObjectCollectives {

  /*
   * Traffic between clusters
   *
   * Data for another cluster crosses once, between one member of each cluster.
   *
   * [1] Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986.
   * [2] Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all communications
   *     in multiport message-passing systems, IEEE TPDS 8(11), 1997.
   */

  private ObjectCollectives() {}

  // Broadcast

  static @Nullable Object broadcast(CollectiveOperation c, int root, @Nullable Object value) {
    c.use(CollectiveAlgorithm.BINOMIAL);
    return broadcastDown(c, c.communicator().hierarchy().levels(root), value);
  }

  private static @Nullable Object broadcastDown(
      CollectiveOperation c, List<HierarchyLevel> levels, @Nullable Object known) {
    var value = known;
    for (var level : levels.reversed()) {
      if (level.isLed()) {
        value = c.receive(level.rank(level.index() & level.index() - 1));
      }
      for (var child = ArrayCollectives.highestChild(level); child > 0; child >>= 1) {
        if (level.index() + child < level.size()) {
          c.sendCopy(level.rank(level.index() + child), value);
        }
      }
    }
    return value;
  }

  // Reductions

  static <V> @Nullable V reduce(CollectiveOperation c, int root, V value, BinaryOperator<V> by) {
    c.use(CollectiveAlgorithm.BINOMIAL);
    var sum = reduce(c, c.communicator().hierarchy().levelsInRankOrder(), value, by);
    if (root > 0 && c.rank() == 0) {
      c.send(root, sum);
    }
    if (c.rank() != root) {
      return null;
    }
    return root == 0 ? sum : ObjectCollectives.<V>received(c, 0);
  }

  /** Combines from near to far; the result is defined at the leader of all levels only. */
  static <V> V reduce(
      CollectiveOperation c, List<HierarchyLevel> levels, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var level : levels) {
      sum = reduceLevel(c, level, sum, by);
    }
    return sum;
  }

  /** Combines by a binomial tree; the result is defined at the leader only. */
  private static <V> V reduceLevel(
      CollectiveOperation c, HierarchyLevel level, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var distance = 1; distance < level.size(); distance <<= 1) {
      if ((level.index() & distance) != 0) {
        c.sendCopy(level.rank(level.index() - distance), sum);
        return sum;
      }
      if (level.index() + distance < level.size()) {
        sum = by.apply(sum, received(c, level.rank(level.index() + distance)));
      }
    }
    return sum;
  }

  static <V> V allReduce(CollectiveOperation c, V value, BinaryOperator<V> by) {
    c.use(CollectiveAlgorithm.BINOMIAL); // unless this member is at the top, too
    return allReduce(c, c.communicator().hierarchy().levelsInRankOrder(), value, by);
  }

  /** Combines from near to far, among the leaders at the top, and broadcasts from far to near. */
  @SuppressWarnings({"unchecked", "NullAway"}) // all have the same type; V may be nullable
  static <V> V allReduce(
      CollectiveOperation c, List<HierarchyLevel> levels, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var level : levels) {
      sum = level.isTop() ? recursiveDoubling(c, level, sum, by) : reduceLevel(c, level, sum, by);
    }
    return (V) broadcastDown(c, levels.stream().filter(each -> !each.isTop()).toList(), sum);
  }

  /**
   * Reduces by recursive doubling among a power of two of members; each of the others sends its
   * value to a neighbour, which takes part for both.
   */
  private static <V> V recursiveDoubling(
      CollectiveOperation c, HierarchyLevel level, V value, BinaryOperator<V> by) {
    c.use(CollectiveAlgorithm.DOUBLING);
    var size = Integer.highestOneBit(level.size());
    var paired = 2 * (level.size() - size);
    var me = level.index();
    if (me < paired && me % 2 == 1) {
      c.sendCopy(level.rank(me - 1), value);
      return received(c, level.rank(me - 1));
    }
    var sum = me < paired ? by.apply(value, received(c, level.rank(me + 1))) : value;
    var few = me < paired ? me / 2 : me - paired / 2;
    for (var distance = 1; distance < size; distance <<= 1) {
      var other = few ^ distance;
      var partner = level.rank(other < paired / 2 ? 2 * other : other + paired / 2);
      c.sendCopy(partner, sum);
      V its = received(c, partner);
      sum = other > few ? by.apply(sum, its) : by.apply(its, sum);
    }
    if (me < paired) {
      c.sendCopy(level.rank(me + 1), sum);
    }
    return sum;
  }

  /**
   * Scans each cluster separately. Then the cluster's last member, which knows the cluster's total,
   * receives the total of the preceding clusters and sends it to its cluster and to the last member
   * of the next.
   */
  static <V> V scan(CollectiveOperation c, V value, BinaryOperator<V> by) {
    c.use(CollectiveAlgorithm.DOUBLING);
    var clusters = c.communicator().hierarchy().byCluster();
    if (clusters.length == 1 || !c.communicator().hierarchy().hasConsecutiveClusters()) {
      return recursiveDoublingScan(c, c.communicator().hierarchy().allMembers(), value, by);
    }
    var own = c.communicator().hierarchy().ownCluster();
    var ranks = clusters[own];
    var last = ranks[ranks.length - 1];
    V sum = recursiveDoublingScan(c, HierarchyLevel.of(ranks, c.rank(), false), value, by);
    if (own > 0) {
      V before = c.rank() == last ? ObjectCollectives.<V>received(c, ranks[0] - 1) : null;
      var fromLast = HierarchyLevel.of(HierarchyLevel.ledBy(last, ranks), c.rank(), false);
      @SuppressWarnings("unchecked") // all have the same type
      var preceding = (V) broadcastDown(c, List.of(fromLast), before);
      sum = by.apply(preceding, sum); // applied once, as the operation may change its arguments
    }
    if (c.rank() == last && own + 1 < clusters.length) {
      var next = clusters[own + 1];
      c.sendCopy(next[next.length - 1], sum);
    }
    return sum;
  }

  /** Uses recursive doubling [1]: each step receives from twice the distance. */
  private static <V> V recursiveDoublingScan(
      CollectiveOperation c, HierarchyLevel level, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var distance = 1; distance < level.size(); distance <<= 1) {
      if (level.index() + distance < level.size()) {
        c.sendCopy(level.rank(level.index() + distance), sum);
      }
      if (level.index() >= distance) {
        sum = by.apply(received(c, level.rank(level.index() - distance)), sum);
      }
    }
    return sum;
  }

  private static Object received(@Nullable Object whole) {
    return Objects.requireNonNull(whole, "the root broadcasts a value");
  }

  @SuppressWarnings("unchecked") // all members call the same
  private static <V> V received(CollectiveOperation c, int from) {
    return (V) c.receive(from);
  }

  // Scatter, gather, all-gather and all-to-all

  /**
   * Scatters from far to near: the leader of a level sends each member the parts that it
   * represents.
   */
  static Object scatter(CollectiveOperation c, int root, @Nullable List<?> parts) {
    c.use(CollectiveAlgorithm.CONCURRENT);
    var known = c.rank() == root && parts != null ? parts.toArray() : new Object[c.size()];
    for (var level : c.communicator().hierarchy().levels(root).reversed()) {
      if (level.isLed()) {
        unbundle(known, level.represented()[level.index()], c.receive(level.rank(0)));
        continue;
      }
      for (var i = 1; i < level.size(); i++) {
        c.sendCopy(level.rank(i), bundle(known, level.represented()[i]));
      }
    }
    return known[c.rank()];
  }

  /**
   * Gathers from near to far: each member of a level sends the values that it represents to the
   * leader.
   */
  static Object @Nullable [] gather(CollectiveOperation c, int root, Object value) {
    c.use(CollectiveAlgorithm.CONCURRENT);
    var known = new Object[c.size()];
    known[c.rank()] = value;
    for (var level : c.communicator().hierarchy().levels(root)) {
      if (level.isLed()) {
        c.sendCopy(level.rank(0), bundle(known, level.represented()[level.index()]));
        return null;
      }
      for (var missing = otherRanks(level); !missing.isEmpty(); ) {
        var message = c.receiveAny(missing);
        unbundle(
            known, level.represented()[level.indexOf(message.from())], message.packet().value());
        missing.clear(message.from());
      }
    }
    return known;
  }

  /** Returns the values of some members in one array, or the value of one member itself. */
  private static Object bundle(Object[] all, int... ranks) {
    return ranks.length == 1
        ? all[ranks[0]]
        : Arrays.stream(ranks).mapToObj(each -> all[each]).toArray();
  }

  @SuppressWarnings("NullAway") // members may give null
  private static void unbundle(Object[] all, int[] ranks, @Nullable Object taken) {
    if (ranks.length == 1) {
      all[ranks[0]] = taken;
      return;
    }
    for (var i = 0; i < ranks.length; i++) {
      all[ranks[i]] = ((Object[]) taken)[i];
    }
  }

  static BitSet otherRanks(HierarchyLevel level) {
    var others = new BitSet();
    for (var i = 0; i < level.size(); i++) {
      if (i != level.index()) {
        others.set(level.rank(i));
      }
    }
    return others;
  }

  /**
   * Uses Bruck's algorithm [2] within one cluster; otherwise gathers at one member and broadcasts
   * from there.
   */
  static Object[] allGather(CollectiveOperation c, Object value) {
    return c.communicator().hierarchy().byCluster().length == 1
        ? bruckAllGather(c, value)
        : (Object[]) received(broadcast(c, 0, gather(c, 0, value)));
  }

  /** Each step receives twice as many values from twice the distance. */
  private static Object[] bruckAllGather(CollectiveOperation c, Object value) {
    c.use(CollectiveAlgorithm.DOUBLING);
    var size = c.size();
    var all = new Object[size]; // rotated, so that this member's own value is the first
    all[0] = value;
    for (var have = 1; have < size; have <<= 1) {
      var count = Math.min(have, size - have);
      c.send((c.rank() + size - have) % size, Arrays.copyOf(all, count));
      System.arraycopy((Object[]) c.receive((c.rank() + have) % size), 0, all, have, count);
    }
    Collections.rotate(Arrays.asList(all), c.rank());
    return all;
  }

  /**
   * Sends directly within a cluster. Data for other clusters is gathered at the first member of the
   * cluster, which exchanges it with the first members of the others and scatters what it receives.
   */
  static Object[] allToAll(CollectiveOperation c, List<?> parts) {
    c.use(CollectiveAlgorithm.CONCURRENT);
    var clusters = c.communicator().hierarchy().byCluster();
    var own = c.communicator().hierarchy().ownCluster();
    var cluster = HierarchyLevel.of(clusters[own], c.rank(), clusters.length == 1);
    var all = new Object[c.size()];
    all[c.rank()] = parts.get(c.rank());
    for (var i = 1; i < cluster.size(); i++) {
      var to = cluster.rank((cluster.index() + i) % cluster.size());
      c.sendCopy(to, parts.get(to));
    }
    for (var missing = otherRanks(cluster); !missing.isEmpty(); ) {
      var message = c.receiveAny(missing);
      all[message.from()] = message.packet().value();
      missing.clear(message.from());
    }
    if (clusters.length == 1) {
      return all;
    }
    var far = c.communicator().hierarchy().ofOtherClusters();
    if (cluster.isLed()) {
      c.sendCopy(cluster.rank(0), bundle(parts.toArray(), far));
      unbundle(all, far, c.receive(cluster.rank(0)));
      return all;
    }
    var rows = new Object[cluster.size()][]; // by member of the cluster: its data for all members
    rows[0] = parts.toArray();
    for (var i = 1; i < cluster.size(); i++) {
      rows[i] = new Object[c.size()];
      unbundle(rows[i], far, c.receive(cluster.rank(i)));
    }
    var fromOthers = exchangeBetweenClusters(c, rows);
    for (var i = 1; i < cluster.size(); i++) {
      c.sendCopy(cluster.rank(i), bundle(fromOthers[i], far));
    }
    unbundle(all, far, bundle(fromOthers[0], far));
    return all;
  }

  /**
   * The first members of all clusters exchange the data between clusters.
   *
   * @param rows the data of each member of this cluster for all members
   * @return the data for each member of this cluster from the others
   */
  private static Object[][] exchangeBetweenClusters(CollectiveOperation c, Object[][] rows) {
    var clusters = c.communicator().hierarchy().byCluster();
    var own = c.communicator().hierarchy().ownCluster();
    for (var i = 1; i < clusters.length; i++) {
      var to = clusters[(own + i) % clusters.length];
      c.send(
          to[0],
          Arrays.stream(rows)
              .flatMap(row -> Arrays.stream(to).mapToObj(each -> row[each]))
              .toArray());
    }
    var fromOthers = new Object[rows.length][c.size()];
    for (var i = 1; i < clusters.length; i++) {
      var from = clusters[(own + clusters.length - i) % clusters.length];
      var next = Arrays.asList((Object[]) c.receive(from[0])).iterator();
      for (var sender : from) {
        for (var its : fromOthers) {
          its[sender] = next.next();
        }
      }
    }
    return fromOthers;
  }
}
