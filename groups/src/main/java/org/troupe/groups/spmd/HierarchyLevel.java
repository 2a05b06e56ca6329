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

  /**
   * A division of the members by their locations.
   *
   * @param location of a member, by its rank
   * @param isWithinHost whether a location is a host or a part of one
   */
  private record Division(IntFunction<?> location, boolean isWithinHost) {}

  /** Returns the divisions of the members, from near to far. */
  private static List<Division> divisions(NodeId[] nodes, MemberLocation[] locations) {
    return List.of(
        new Division(rank -> nodes[rank], true),
        new Division(rank -> locations[rank], true),
        new Division(rank -> locations[rank].cluster(), false),
        new Division(any -> "", false));
  }

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
    return levels(rank, root, nodes.length, divisions(nodes, locations));
  }

  /**
   * Returns the levels of a member at which combining keeps the order of ranks: those of divisions
   * into locations whose members have consecutive ranks. The lowest rank leads.
   */
  static List<HierarchyLevel> levelsInRankOrder(
      int rank, NodeId[] nodes, MemberLocation[] locations) {
    var size = nodes.length;
    var inRankOrder =
        divisions(nodes, locations).stream()
            .filter(each -> areConsecutive(ranksBy(size, each.location)))
            .toList();
    return levels(rank, -1, size, inRankOrder);
  }

  private static List<HierarchyLevel> levels(
      int rank, int root, int size, List<Division> divisions) {
    List<HierarchyLevel> levels = new ArrayList<>();
    SortedMap<Integer, int[]> leaders = new TreeMap<>();
    for (var i = 0; i < size; i++) {
      leaders.put(i, new int[] {i});
    }
    for (var each : divisions) {
      leaders = level(levels, rank, root, leaders, each);
    }
    return levels;
  }

  /**
   * Adds the level of the members in the same location as the given one.
   *
   * @param under the leaders of the lower level, each with the ranks that it represents
   * @return the leaders of all locations, each with the ranks that it represents
   */
  private static SortedMap<Integer, int[]> level(
      List<HierarchyLevel> levels,
      int rank,
      int root,
      SortedMap<Integer, int[]> under,
      Division division) {
    Map<Object, List<Integer>> locations = new LinkedHashMap<>();
    for (var each : under.keySet()) {
      locations.computeIfAbsent(division.location.apply(each), any -> new ArrayList<>()).add(each);
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
                ranks,
                represented,
                indexOf(ranks, rank),
                division.isWithinHost,
                locations.size() == 1));
      }
    }
    return leaders;
  }

  /**
   * Returns the ranks of each location, in order; the locations are ordered by their first ranks.
   */
  static int[][] ranksBy(int size, IntFunction<?> location) {
    Map<Object, List<Integer>> locations = new LinkedHashMap<>();
    for (var rank = 0; rank < size; rank++) {
      locations.computeIfAbsent(location.apply(rank), each -> new ArrayList<>()).add(rank);
    }
    return locations.values().stream().map(HierarchyLevel::asArray).toArray(int[][]::new);
  }

  private static int[] asArray(List<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns whether the members of each location have consecutive ranks. */
  static boolean areConsecutive(int[][] byLocation) {
    return Arrays.stream(byLocation)
        .allMatch(ranks -> ranks[ranks.length - 1] - ranks[0] == ranks.length - 1);
  }
}
