package org.troupe.groups.spmd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.troupe.activeobjects.NodeId;

/**
 * One level of a hierarchical collective: the members that take part in it, the first of them as
 * leader.
 *
 * @param ranks the ranks of the members in the group
 * @param represented the ranks that each member represents: its own and those that it leads on
 *     lower levels, in order; empty if each represents only itself
 * @param index the index of the current member
 * @param isWithinHost whether all members of the level are on one host
 * @param isTop whether this is the top level, at which the leaders of all lower levels meet
 */
record HierarchyLevel(
    int[] ranks, int[][] represented, int index, boolean isWithinHost, boolean isTop) {

  /*
   * Hierarchy
   *
   * The members of one JVM combine their values in memory, then one member of each JVM exchanges messages with those
   * of the other JVMs of its host, then one member of each host with those of the other hosts of its cluster, then one
   * member of each cluster with those of the other clusters. So a member belongs to one or several levels, from near to
   * far, and leads all of its levels but the last. MagPIe [1] has the same hierarchy without hosts: data between two
   * clusters crosses once in each direction. A board, if the host has one, takes the place of the levels within it.
   *
   * [1] Kielmann, Hofman, Bal, Plaat, Bhoedjang, MagPIe: MPI's collective communication operations for clustered wide
   * area systems, PPoPP 1999.
   */

  private static final int[][] ITSELF = {};

  /** Creates a level at which each member represents only itself. */
  HierarchyLevel(int[] ranks, int index, boolean isTop) {
    this(ranks, ITSELF, index, false, isTop);
  }

  int size() {
    return ranks.length;
  }

  /** Returns the rank of a member. */
  int rank(int index) {
    return ranks[index];
  }

  /** Returns whether another member leads the current one. */
  boolean isLed() {
    return index > 0;
  }

  /** Returns all ranks, grouped by cluster, host and node, for ring algorithms. */
  static int[] byLocation(NodeId[] nodes, MemberLocation[] locations) {
    Map<String, Map<MemberLocation, Map<NodeId, List<Integer>>>> clusters = new LinkedHashMap<>();
    for (var rank = 0; rank < nodes.length; rank++) {
      clusters
          .computeIfAbsent(locations[rank].cluster(), each -> new LinkedHashMap<>())
          .computeIfAbsent(locations[rank], each -> new LinkedHashMap<>())
          .computeIfAbsent(nodes[rank], each -> new ArrayList<>())
          .add(rank);
    }
    return clusters.values().stream()
        .flatMap(each -> each.values().stream())
        .flatMap(each -> each.values().stream())
        .flatMap(List::stream)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns a level of these members. */
  static HierarchyLevel of(int[] ranks, int rank, boolean isTop) {
    return new HierarchyLevel(ranks, indexOf(ranks, rank), isTop);
  }

  private static int indexOf(int[] ranks, int rank) {
    for (var i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    throw new AssertionError(rank + " is not in " + Arrays.toString(ranks));
  }

  /** Returns the ranks in the same order, except that the leader is the first. */
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

  /** Returns the index of a member. */
  int indexOf(int rank) {
    return indexOf(ranks, rank);
  }

  /**
   * Returns the levels of a member, from near to far; levels with a single member are left out.
   *
   * @param root the leader of each of its levels; with -1, the lowest rank leads
   */
  static List<HierarchyLevel> levels(
      int rank, int root, NodeId[] nodes, MemberLocation[] locations) {
    List<HierarchyLevel> levels = new ArrayList<>();
    SortedMap<Integer, int[]> each = new TreeMap<>();
    for (var i = 0; i < nodes.length; i++) {
      each.put(i, new int[] {i});
    }
    var ofNodes = level(levels, rank, root, each, member -> nodes[member], true);
    var ofHosts = level(levels, rank, root, ofNodes, member -> locations[member], true);
    var ofClusters =
        level(levels, rank, root, ofHosts, member -> locations[member].cluster(), false);
    level(levels, rank, root, ofClusters, any -> "", false);
    return levels;
  }

  /**
   * Adds the level of the members in the same location as the given one.
   *
   * @param under the leaders of the lower level, each with the ranks that it represents
   * @param isWithinHost whether a location is a host or a part of one
   * @return the leaders of all locations, each with the ranks that it represents
   */
  private static SortedMap<Integer, int[]> level(
      List<HierarchyLevel> levels,
      int rank,
      int root,
      SortedMap<Integer, int[]> under,
      IntFunction<?> location,
      boolean isWithinHost) {
    Map<Object, List<Integer>> locations = new LinkedHashMap<>();
    for (var each : under.keySet()) {
      locations.computeIfAbsent(location.apply(each), any -> new ArrayList<>()).add(each);
    }
    SortedMap<Integer, int[]> leaders = new TreeMap<>();
    for (var members : locations.values()) {
      int leader = members.contains(root) ? (Integer) root : members.getFirst();
      leaders.put(
          leader, members.stream().map(under::get).flatMapToInt(Arrays::stream).sorted().toArray());
      if (members.size() > 1 && members.contains(rank)) {
        var ranks = ledBy(leader, asArray(members));
        var represented = Arrays.stream(ranks).mapToObj(under::get).toArray(int[][]::new);
        levels.add(
            new HierarchyLevel(
                ranks, represented, indexOf(ranks, rank), isWithinHost, locations.size() == 1));
      }
    }
    return leaders;
  }

  /** Returns the ranks of each cluster, in order; the clusters are ordered by their first ranks. */
  static int[][] clusters(MemberLocation[] locations) {
    Map<String, List<Integer>> clusters = new LinkedHashMap<>();
    for (var rank = 0; rank < locations.length; rank++) {
      clusters.computeIfAbsent(locations[rank].cluster(), each -> new ArrayList<>()).add(rank);
    }
    return clusters.values().stream().map(HierarchyLevel::asArray).toArray(int[][]::new);
  }

  private static int[] asArray(List<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Returns whether the members of each location have consecutive ranks, so that combining by
   * levels keeps the order of ranks.
   */
  static boolean isInRankOrder(int[] byPlace) {
    for (var i = 0; i < byPlace.length; i++) {
      if (byPlace[i] != i) {
        return false;
      }
    }
    return true;
  }
}
