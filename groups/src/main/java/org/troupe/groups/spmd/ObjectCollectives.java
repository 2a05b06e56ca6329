package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;

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

  // One to all

  static Object broadcast(CollectiveOperation c, int root, Object value) {
    return down(c, c.communicator().levels(root), value);
  }

  private static Object down(CollectiveOperation c, List<HierarchyLevel> levels, Object known) {
    var value = known;
    for (var team : levels.reversed()) {
      if (team.isLed()) {
        value = c.receive(team.rank(team.me() & team.me() - 1));
      }
      for (var child = ArrayCollectives.highestChild(team); child > 0; child >>= 1) {
        if (team.me() + child < team.size()) {
          c.sendCopy(team.rank(team.me() + child), value);
        }
      }
    }
    return value;
  }

  // Reductions

  /** The teams of this member; such as keep the order of ranks. */
  private static List<HierarchyLevel> levels(CollectiveOperation c) {
    return c.size() == 1
        ? List.of()
        : c.communicator().isInOrder()
            ? c.communicator().levels(-1)
            : List.of(c.communicator().everybody());
  }

  static <V> V reduce(CollectiveOperation c, int root, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var team : levels(c)) {
      sum = reduced(c, team, sum, by);
    }
    if (root > 0 && c.rank() == 0) {
      c.send(root, sum);
    }
    if (c.rank() != root) {
      return null;
    }
    return root == 0 ? sum : ObjectCollectives.<V>received(c, 0);
  }

  /** Combines by a binomial tree; at others than the leader, the result means nothing. */
  private static <V> V reduced(
      CollectiveOperation c, HierarchyLevel team, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if ((team.me() & distance) != 0) {
        c.sendCopy(team.rank(team.me() - distance), sum);
        return sum;
      }
      if (team.me() + distance < team.size()) {
        sum = by.apply(sum, received(c, team.rank(team.me() + distance)));
      }
    }
    return sum;
  }

  static <V> V allReduce(CollectiveOperation c, V value, BinaryOperator<V> by) {
    var levels = levels(c);
    var sum = value;
    for (var team : levels) {
      sum = team.isTop() ? exchanged(c, team, sum, by) : reduced(c, team, sum, by);
    }
    @SuppressWarnings("unchecked") // all have the same type
    var all = (V) down(c, levels.stream().filter(each -> !each.isTop()).toList(), sum);
    return all;
  }

  /** By recursive doubling; those beyond a power of two let a neighbour do it for both. */
  private static <V> V exchanged(
      CollectiveOperation c, HierarchyLevel team, V value, BinaryOperator<V> by) {
    var size = Integer.highestOneBit(team.size());
    var paired = 2 * (team.size() - size);
    var me = team.me();
    if (me < paired && me % 2 == 1) {
      c.sendCopy(team.rank(me - 1), value);
      return received(c, team.rank(me - 1));
    }
    var sum = me < paired ? by.apply(value, received(c, team.rank(me + 1))) : value;
    var few = me < paired ? me / 2 : me - paired / 2;
    for (var distance = 1; distance < size; distance <<= 1) {
      var other = few ^ distance;
      var partner = team.rank(other < paired / 2 ? 2 * other : other + paired / 2);
      c.sendCopy(partner, sum);
      V its = received(c, partner);
      sum = other > few ? by.apply(sum, its) : by.apply(its, sum);
    }
    if (me < paired) {
      c.sendCopy(team.rank(me + 1), sum);
    }
    return sum;
  }

  /**
   * Scans each cluster separately. Then the cluster's last member, which knows the cluster's total,
   * receives the total of the preceding clusters and sends it to its cluster and to the last member
   * of the next.
   */
  static <V> V scan(CollectiveOperation c, V value, BinaryOperator<V> by) {
    var clusters = c.communicator().byCluster();
    if (clusters.length == 1 || !c.communicator().isInOrder()) {
      return scanned(c, c.communicator().everybody(), value, by);
    }
    var own = c.communicator().ownCluster();
    var ranks = clusters[own];
    var last = ranks[ranks.length - 1];
    V sum = scanned(c, HierarchyLevel.of(ranks, c.rank(), false), value, by);
    if (own > 0) {
      V before = c.rank() == last ? ObjectCollectives.<V>received(c, ranks[0] - 1) : null;
      var fromLast = HierarchyLevel.of(HierarchyLevel.ledBy(last, ranks), c.rank(), false);
      @SuppressWarnings("unchecked") // all have the same type
      var told = (V) down(c, List.of(fromLast), before);
      sum = by.apply(told, sum); // applied once, as the operation may change its arguments
    }
    if (c.rank() == last && own + 1 < clusters.length) {
      var next = clusters[own + 1];
      c.sendCopy(next[next.length - 1], sum);
    }
    return sum;
  }

  /** By recursive doubling [1]: each time from twice as far. */
  private static <V> V scanned(
      CollectiveOperation c, HierarchyLevel team, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var distance = 1; distance < team.size(); distance <<= 1) {
      if (team.me() + distance < team.size()) {
        c.sendCopy(team.rank(team.me() + distance), sum);
      }
      if (team.me() >= distance) {
        sum = by.apply(received(c, team.rank(team.me() - distance)), sum);
      }
    }
    return sum;
  }

  @SuppressWarnings("unchecked") // all members call the same
  private static <V> V received(CollectiveOperation c, int from) {
    return (V) c.receive(from);
  }

  // Parts

  /** From far to near: who leads a team gives each of it the parts of all for whom it stands. */
  static Object scatter(CollectiveOperation c, int root, List<?> parts) {
    var known = c.rank() == root ? parts.toArray() : new Object[c.size()];
    for (var team : c.communicator().levels(root).reversed()) {
      if (team.isLed()) {
        put(known, team.under()[team.me()], c.receive(team.rank(0)));
        continue;
      }
      for (var i = 1; i < team.size(); i++) {
        c.sendCopy(team.rank(i), taken(known, team.under()[i]));
      }
    }
    return known[c.rank()];
  }

  /** From near to far: who leads a team gets from each of it what all for whom it stands give. */
  static Object[] gather(CollectiveOperation c, int root, Object value) {
    var known = new Object[c.size()];
    known[c.rank()] = value;
    for (var team : c.communicator().levels(root)) {
      if (team.isLed()) {
        c.sendCopy(team.rank(0), taken(known, team.under()[team.me()]));
        return null;
      }
      for (var missing = others(team); !missing.isEmpty(); ) {
        var letter = c.receiveAny(missing);
        put(known, team.under()[team.indexOf(letter.from())], letter.parcel().value());
        missing.clear(letter.from());
      }
    }
    return known;
  }

  /** Those of some members as one thing to send; what is of one only as it is. */
  private static Object taken(Object[] all, int... ranks) {
    return ranks.length == 1
        ? all[ranks[0]]
        : Arrays.stream(ranks).mapToObj(each -> all[each]).toArray();
  }

  private static void put(Object[] all, int[] ranks, Object taken) {
    if (ranks.length == 1) {
      all[ranks[0]] = taken;
      return;
    }
    for (var i = 0; i < ranks.length; i++) {
      all[ranks[i]] = ((Object[]) taken)[i];
    }
  }

  static BitSet others(HierarchyLevel team) {
    var others = new BitSet();
    for (var i = 0; i < team.size(); i++) {
      if (i != team.me()) {
        others.set(team.rank(i));
      }
    }
    return others;
  }

  /**
   * Uses Bruck's algorithm [2] within one cluster; otherwise gathers at one member and broadcasts
   * from there.
   */
  static Object[] allGather(CollectiveOperation c, Object value) {
    return c.communicator().byCluster().length == 1
        ? gathered(c, value)
        : (Object[]) broadcast(c, 0, gather(c, 0, value));
  }

  /** Each time from twice as far, twice as many. */
  private static Object[] gathered(CollectiveOperation c, Object value) {
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
    var clusters = c.communicator().byCluster();
    var own = c.communicator().ownCluster();
    var cluster = HierarchyLevel.of(clusters[own], c.rank(), clusters.length == 1);
    var all = new Object[c.size()];
    all[c.rank()] = parts.get(c.rank());
    for (var i = 1; i < cluster.size(); i++) {
      var to = cluster.rank((cluster.me() + i) % cluster.size());
      c.sendCopy(to, parts.get(to));
    }
    for (var missing = others(cluster); !missing.isEmpty(); ) {
      var letter = c.receiveAny(missing);
      all[letter.from()] = letter.parcel().value();
      missing.clear(letter.from());
    }
    if (clusters.length == 1) {
      return all;
    }
    var far = c.communicator().ofOtherClusters();
    if (cluster.isLed()) {
      c.sendCopy(cluster.rank(0), taken(parts.toArray(), far));
      put(all, far, c.receive(cluster.rank(0)));
      return all;
    }
    var rows = new Object[cluster.size()][]; // by member of the cluster: its data for all members
    rows[0] = parts.toArray();
    for (var i = 1; i < cluster.size(); i++) {
      rows[i] = new Object[c.size()];
      put(rows[i], far, c.receive(cluster.rank(i)));
    }
    var came = exchanged(c, rows);
    for (var i = 1; i < cluster.size(); i++) {
      c.sendCopy(cluster.rank(i), taken(came[i], far));
    }
    put(all, far, taken(came[0], far));
    return all;
  }

  /**
   * The first members of all clusters exchange the data between clusters.
   *
   * @param rows the data of each member of this cluster for all members
   * @return the data for each member of this cluster from the others
   */
  private static Object[][] exchanged(CollectiveOperation c, Object[][] rows) {
    var clusters = c.communicator().byCluster();
    var own = c.communicator().ownCluster();
    for (var i = 1; i < clusters.length; i++) {
      var to = clusters[(own + i) % clusters.length];
      c.send(
          to[0],
          Arrays.stream(rows)
              .flatMap(row -> Arrays.stream(to).mapToObj(each -> row[each]))
              .toArray());
    }
    var came = new Object[rows.length][c.size()];
    for (var i = 1; i < clusters.length; i++) {
      var from = clusters[(own + clusters.length - i) % clusters.length];
      var next = Arrays.asList((Object[]) c.receive(from[0])).iterator();
      for (var sender : from) {
        for (var its : came) {
          its[sender] = next.next();
        }
      }
    }
    return came;
  }
}
