package org.troupe.activeobjects.internal.listing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A node of {@link CycleGrid}. */
final class CycleNode {
  final int index;
  final NodeDeaths deaths;
  final NodeTrials trials;
  final Map<Long, CycleObject> objects = new TreeMap<>();
  final Set<ObjectName> roots = new TreeSet<>(CycleGrid::compare); // of threads
  final Map<ObjectName, HeldCopies> held = new TreeMap<>(CycleGrid::compare);
  final Set<Integer> knownDead = new HashSet<>();
  final Map<Long, Integer> unstated = new TreeMap<>(); // statements unacknowledged, by views
  final Map<Integer, Integer> unacknowledged = new HashMap<>(); // names, by their hosts
  long applied;
  boolean lives = true;
  boolean finishes;

  CycleNode(int index, NodeTrials trials) {
    this.index = index;
    this.deaths = new NodeDeaths(index);
    this.trials = trials;
  }
}
