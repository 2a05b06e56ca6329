package org.troupe.replicas;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The ways of a member's messages to others, so that each link to another cluster carries a message
 * once. A member whose cluster is not known counts as near. Touched under the lock of the member's
 * {@link WriteOrder}.
 */
final class ClusterRoutes {

  private final ReplicaMember self;
  private final Map<ReplicaMember, String> clusters = new HashMap<>();
  private boolean areSeveral; // clusters

  ClusterRoutes(ReplicaMember self) {
    this.self = self;
  }

  /** Adds the cluster of a member, perhaps of this one; an empty name if it is not known. */
  void locate(ReplicaMember member, String cluster) {
    if (!cluster.isEmpty()) {
      clusters.put(member, cluster);
      areSeveral = clusters.values().stream().distinct().count() > 1;
    }
  }

  /** Returns whether a member is in another cluster than this one. */
  private boolean isFar(ReplicaMember member) {
    var home = areSeveral ? clusters.get(self) : null;
    return home != null && !clusters.getOrDefault(member, home).equals(home);
  }

  /** Returns those of some members that are in the cluster of another, if that is another one. */
  List<Integer> beyond(ReplicaMember gateway, Map<Integer, ReplicaMember> members) {
    if (!isFar(gateway)) {
      return List.of();
    }
    var cluster = clusters.get(gateway);
    return members.entrySet().stream()
        .filter(member -> Objects.equals(clusters.get(member.getValue()), cluster))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Divides members by the ways to them. The first of each part gets a message, and passes it on to
   * the others.
   */
  Collection<List<Integer>> routes(Map<Integer, ReplicaMember> members) {
    Map<Object, List<Integer>> routes = new LinkedHashMap<>();
    members.forEach(
        (index, member) -> {
          Object way = isFar(member) ? clusters.getOrDefault(member, "") : index;
          routes.computeIfAbsent(way, each -> new ArrayList<>()).add(index);
        });
    return routes.values();
  }
}
