package org.troupe.groups;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Some members of a group that do a part of a collective, the first of them as their leader.
 *
 * @param ranks in the group
 * @param me the place of the current member among them
 * @param isTop whether the leaders of all other teams meet in this one
 */
record Team(int[] ranks, int me, boolean isTop) {

  /*
   * Members of one JVM combine in memory, then one of each JVM talks to others of its cluster, then one of each
   * cluster to others. So a member is in one team or several, from near to far, and leads all but the last.
   */

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

  /** All members, those who are near each other side by side: for what goes round in a ring. */
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
  static Team of(int[] ranks, int rank, boolean isTop) {
    for (var i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return new Team(ranks, i, isTop);
      }
    }
    throw new AssertionError(rank + " is not in " + Arrays.toString(ranks));
  }

  /** Returns those from which one leads, in their order, but for the leader. */
  static Team ledBy(int leader, int[] ranks, int rank, boolean isTop) {
    var led = new int[ranks.length];
    led[0] = leader;
    var next = 1;
    for (var each : ranks) {
      if (each != leader) {
        led[next++] = each;
      }
    }
    return of(led, rank, isTop);
  }

  /**
   * Returns the teams of a member, from near to far; none of a single member.
   *
   * @param root leads wherever it is, if not negative; else the lowest rank does
   */
  static List<Team> levels(
      int rank, int size, int root, IntFunction<?> node, IntFunction<?> cluster) {
    List<Team> levels = new ArrayList<>();
    var all = new int[size];
    Arrays.setAll(all, each -> each);
    var leaders = level(levels, rank, root, all, node);
    leaders = level(levels, rank, root, leaders, cluster);
    level(levels, rank, root, leaders, each -> "");
    return levels;
  }

  /** Adds the team of those who are in the same place; returns the leaders of all places. */
  private static int[] level(
      List<Team> levels, int rank, int root, int[] ranks, IntFunction<?> place) {
    Map<Object, List<Integer>> places = new LinkedHashMap<>();
    for (var each : ranks) {
      places.computeIfAbsent(place.apply(each), any -> new ArrayList<>()).add(each);
    }
    var leaders = new ArrayList<Integer>();
    for (var team : places.values()) {
      int leader = team.contains(root) ? (Integer) root : team.getFirst();
      leaders.add(leader);
      if (team.size() > 1 && team.contains(rank)) {
        levels.add(ledBy(leader, asArray(team), rank, places.size() == 1));
      }
    }
    leaders.sort(null);
    return asArray(leaders);
  }

  private static int[] asArray(List<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Says whether those of each place follow each other, so that their teams keep the order. */
  static boolean inOrder(int[] byPlace) {
    for (var i = 0; i < byPlace.length; i++) {
      if (byPlace[i] != i) {
        return false;
      }
    }
    return true;
  }
}
