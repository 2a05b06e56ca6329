package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * One level of a hierarchical collective: members that do a part of it, the first of them as
 * leader.
 *
 * @param ranks in the group
 * @param under the ranks that each of them represents: its own and those that it leads on lower
 *     levels, in order; {@code null} if each represents only itself
 * @param me the index of the current member among them
 * @param isTop whether this is the top level, at which the leaders of all others meet
 */
record HierarchyLevel(int[] ranks, int[][] under, int me, boolean isTop) {

  /*
   * Members of one JVM combine in memory, then one of each JVM talks to others of its cluster, then one of each
   * cluster to others. So a member is in one team or several, from near to far, and leads all but the last. Such
   * hierarchies are those of MagPIe [1]: what is between two clusters crosses once in each direction.
   *
   * [1] Kielmann, Hofman, Bal, Plaat, Bhoedjang, MagPIe: MPI's collective communication operations for clustered wide
   * area systems, PPoPP 1999.
   */

  HierarchyLevel(int[] ranks, int me, boolean isTop) {
    this(ranks, null, me, isTop);
  }

  int size() {
    return ranks.length;
  }

  /** The rank of one of them. */
  int rank(int index) {
    return ranks[index];
  }

  boolean isLed() {
    return me > 0;
  }

  /** Returns all ranks with those of one node and cluster side by side, for ring algorithms. */
  static int[] byPlace(int size, IntFunction<?> node, IntFunction<?> cluster) {
    Map<Object, Map<Object, List<Integer>>> places = new LinkedHashMap<>();
    for (var rank = 0; rank < size; rank++) {
      places
          .computeIfAbsent(cluster.apply(rank), each -> new LinkedHashMap<>())
          .computeIfAbsent(node.apply(rank), each -> new ArrayList<>())
          .add(rank);
    }
    return places.values().stream()
        .flatMap(each -> each.values().stream())
        .flatMap(List::stream)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns a member's team of these. */
  static HierarchyLevel of(int[] ranks, int rank, boolean isTop) {
    return new HierarchyLevel(ranks, place(ranks, rank), isTop);
  }

  private static int place(int[] ranks, int rank) {
    for (var i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    throw new AssertionError(rank + " is not in " + Arrays.toString(ranks));
  }

  /** Returns ranks in their order, with the leader moved to the front. */
  static int[] ledBy(int leader, int[] ranks) {
    var led = new int[ranks.length];
    led[0] = leader;
    var next = 1;
    for (var each : ranks) {
      if (each != leader) {
        led[next++] = each;
      }
    }
    return led;
  }

  /** The place among them of a member. */
  int indexOf(int rank) {
    return place(ranks, rank);
  }

  /**
   * Returns the levels of a member, from near to far; levels with a single member are left out.
   *
   * @param root leads on each of its levels, if not negative; else the lowest rank leads
   */
  static List<HierarchyLevel> levels(
      int rank, int size, int root, IntFunction<?> node, IntFunction<?> cluster) {
    List<HierarchyLevel> levels = new ArrayList<>();
    SortedMap<Integer, int[]> each = new TreeMap<>();
    for (var i = 0; i < size; i++) {
      each.put(i, new int[] {i});
    }
    var ofNodes = level(levels, rank, root, each, node);
    var ofClusters = level(levels, rank, root, ofNodes, cluster);
    level(levels, rank, root, ofClusters, any -> "");
    return levels;
  }

  /**
   * Adds the level of the members in the same place as this one.
   *
   * @param under the candidates, each with the ranks that it represents
   * @return the leaders of all places, each with the ranks that it represents
   */
  private static SortedMap<Integer, int[]> level(
      List<HierarchyLevel> levels,
      int rank,
      int root,
      SortedMap<Integer, int[]> under,
      IntFunction<?> place) {
    Map<Object, List<Integer>> places = new LinkedHashMap<>();
    for (var each : under.keySet()) {
      places.computeIfAbsent(place.apply(each), any -> new ArrayList<>()).add(each);
    }
    SortedMap<Integer, int[]> leaders = new TreeMap<>();
    for (var team : places.values()) {
      int leader = team.contains(root) ? (Integer) root : team.getFirst();
      leaders.put(
          leader, team.stream().map(under::get).flatMapToInt(Arrays::stream).sorted().toArray());
      if (team.size() > 1 && team.contains(rank)) {
        var ranks = ledBy(leader, asArray(team));
        var stand = Arrays.stream(ranks).mapToObj(under::get).toArray(int[][]::new);
        levels.add(new HierarchyLevel(ranks, stand, place(ranks, rank), places.size() == 1));
      }
    }
    return leaders;
  }

  /** The ranks of each cluster, in order; the clusters by their first ranks. */
  static int[][] clusters(int size, IntFunction<?> cluster) {
    Map<Object, List<Integer>> places = new LinkedHashMap<>();
    for (var rank = 0; rank < size; rank++) {
      places.computeIfAbsent(cluster.apply(rank), each -> new ArrayList<>()).add(rank);
    }
    return places.values().stream().map(HierarchyLevel::asArray).toArray(int[][]::new);
  }

  private static int[] asArray(List<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Says whether the members of each place have consecutive ranks, so that levels keep the order.
   */
  static boolean inOrder(int[] byPlace) {
    for (var i = 0; i < byPlace.length; i++) {
      if (byPlace[i] != i) {
        return false;
      }
    }
    return true;
  }
}
