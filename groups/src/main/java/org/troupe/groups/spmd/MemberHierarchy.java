package org.troupe.groups.spmd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * Where the members of a group are, as one of them sees it, and the levels at which its collectives
 * exchange: within a node, a host, a cluster, and beyond.
 */
final class MemberHierarchy {

  private final int rank;
  private final NodeId[] nodes; // by rank
  private final MemberLocation[] locations; // by rank
  private final int[] byLocation;
  private final int[][] byHost;
  private final int[][] byCluster;

  // Accessed only by the thread that runs a collective
  private int lastRoot = Integer.MIN_VALUE;
  private List<HierarchyLevel> levels = List.of(); // of lastRoot
  private List<HierarchyLevel> levelsOfHosts = List.of(); // those of them beyond the host
  private @Nullable List<HierarchyLevel> levelsInRankOrder;

  /**
   * Creates the hierarchy of a member.
   *
   * @param rank of the member
   * @param nodes of all members, by rank
   * @param locations of all members, by rank
   */
  MemberHierarchy(int rank, NodeId[] nodes, MemberLocation[] locations) {
    this.rank = rank;
    this.nodes = nodes;
    this.locations = locations;
    this.byLocation = HierarchyLevel.byLocation(nodes, locations);
    this.byHost = HierarchyLevel.ranksBy(locations.length, each -> locations[each]);
    this.byCluster = HierarchyLevel.ranksBy(locations.length, each -> locations[each].cluster());
  }

  /** Returns the locations of the members, by rank. */
  MemberLocation[] locations() {
    return locations;
  }

  /** Returns the ranks of each host, in order; the hosts are ordered by their first ranks. */
  int[][] byHost() {
    return byHost;
  }

  /**
   * Returns the levels of this member, from near to far.
   *
   * @param root the leader of each of its levels, or -1
   */
  List<HierarchyLevel> levels(int root) {
    computeLevels(root);
    return levels;
  }

  /**
   * Returns the levels at which this member exchanges with members of other hosts, from near to
   * far; none if another member leads its host.
   *
   * @param root the leader of each of its levels, or -1
   */
  List<HierarchyLevel> levelsOfHosts(int root) {
    if (byHost.length == 1) {
      return List.of();
    }
    computeLevels(root);
    return levelsOfHosts;
  }

  private void computeLevels(int root) {
    if (root != lastRoot) {
      levels = HierarchyLevel.levels(rank, root, nodes, locations);
      levelsOfHosts = levels.stream().filter(each -> !each.isWithinHost()).toList();
      lastRoot = root;
    }
  }

  /** Returns the levels of this member, from near to far, that keep the order of ranks. */
  List<HierarchyLevel> levelsInRankOrder() {
    var known = levelsInRankOrder;
    if (known == null) {
      known = HierarchyLevel.levelsInRankOrder(rank, nodes, locations);
      levelsInRankOrder = known;
    }
    return known;
  }

  /** Returns whether a member is on the host of this one. */
  boolean isOnHost(int member) {
    return locations[member].equals(locations[rank]);
  }

  /** Returns one level of all members, ordered by location. */
  HierarchyLevel ring() {
    return HierarchyLevel.of(byLocation, rank, true);
  }

  /** Returns one level of all members, ordered by rank. */
  HierarchyLevel allMembers() {
    var all = new int[locations.length];
    Arrays.setAll(all, each -> each);
    return new HierarchyLevel(all, rank, true);
  }

  /** Returns the ranks of each cluster, in order; the clusters are ordered by their first ranks. */
  int[][] byCluster() {
    return byCluster;
  }

  /** Returns the index of this member's cluster in {@link #byCluster}. */
  int ownCluster() {
    for (var i = 0; ; i++) {
      if (Arrays.binarySearch(byCluster[i], rank) >= 0) {
        return i;
      }
    }
  }

  /** Returns the ranks of all members of other clusters, in order. */
  int[] ofOtherClusters() {
    return IntStream.range(0, locations.length)
        .filter(each -> !locations[each].cluster().equals(locations[rank].cluster()))
        .toArray();
  }

  /** Returns whether the members of each cluster have consecutive ranks. */
  boolean hasConsecutiveClusters() {
    return HierarchyLevel.areConsecutive(byCluster);
  }
}
