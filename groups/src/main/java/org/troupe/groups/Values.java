package org.troupe.groups;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;

/** Collectives on objects. Operators are applied in the order of ranks. */
final class Values {

  private Values() {}

  // One to all

  static Object broadcast(Collective c, int root, Object value) {
    return down(c, c.seat().levels(root), value);
  }

  private static Object down(Collective c, List<Team> levels, Object known) {
    var value = known;
    for (var team : levels.reversed()) {
      if (team.isLed()) {
        value = c.receive(team.rank(team.me() & team.me() - 1));
      }
      for (var child = Numbers.highestChild(team); child > 0; child >>= 1) {
        if (team.me() + child < team.size()) {
          c.sendCopy(team.rank(team.me() + child), value);
        }
      }
    }
    return value;
  }

  // Reductions

  /** The teams of this member; such as keep the order of ranks. */
  private static List<Team> levels(Collective c) {
    return c.size() == 1
        ? List.of()
        : c.seat().isInOrder() ? c.seat().levels(-1) : List.of(c.seat().everybody());
  }

  static <V> V reduce(Collective c, int root, V value, BinaryOperator<V> by) {
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
    return root == 0 ? sum : Values.<V>received(c, 0);
  }

  /** Combines by a binomial tree; at others than the leader, the result means nothing. */
  private static <V> V reduced(Collective c, Team team, V value, BinaryOperator<V> by) {
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

  static <V> V allReduce(Collective c, V value, BinaryOperator<V> by) {
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
  private static <V> V exchanged(Collective c, Team team, V value, BinaryOperator<V> by) {
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

  static <V> V scan(Collective c, V value, BinaryOperator<V> by) {
    var sum = value;
    for (var distance = 1; distance < c.size(); distance <<= 1) {
      if (c.rank() + distance < c.size()) {
        c.sendCopy(c.rank() + distance, sum);
      }
      if (c.rank() >= distance) {
        sum = by.apply(received(c, c.rank() - distance), sum);
      }
    }
    return sum;
  }

  @SuppressWarnings("unchecked") // all members call the same
  private static <V> V received(Collective c, int from) {
    return (V) c.receive(from);
  }

  // Parts

  static Object scatter(Collective c, int root, List<?> parts) {
    if (c.rank() != root) {
      return c.receive(root);
    }
    for (var i = 0; i < c.size(); i++) {
      if (i != root) {
        c.sendCopy(i, parts.get(i));
      }
    }
    return parts.get(root);
  }

  static Object[] gather(Collective c, int root, Object value) {
    if (c.rank() != root) {
      c.sendCopy(root, value);
      return null;
    }
    return receiveAll(c, value);
  }

  private static Object[] receiveAll(Collective c, Object own) {
    var all = new Object[c.size()];
    all[c.rank()] = own;
    var missing = new BitSet();
    missing.set(0, c.size());
    missing.clear(c.rank());
    while (!missing.isEmpty()) {
      var letter = c.receiveAny(missing);
      all[letter.from()] = letter.parcel().value();
      missing.clear(letter.from());
    }
    return all;
  }

  /** Bruck's: each time from twice as far, twice as many. */
  static Object[] allGather(Collective c, Object value) {
    var size = c.size();
    var all = new Object[size]; // beginning with this member's own
    all[0] = value;
    for (var have = 1; have < size; have <<= 1) {
      var count = Math.min(have, size - have);
      c.send((c.rank() + size - have) % size, Arrays.copyOf(all, count));
      System.arraycopy((Object[]) c.receive((c.rank() + have) % size), 0, all, have, count);
    }
    Collections.rotate(Arrays.asList(all), c.rank());
    return all;
  }

  static Object[] allToAll(Collective c, List<?> parts) {
    for (var i = 1; i < c.size(); i++) {
      var to = (c.rank() + i) % c.size();
      c.sendCopy(to, parts.get(to));
    }
    return receiveAll(c, parts.get(c.rank()));
  }
}
