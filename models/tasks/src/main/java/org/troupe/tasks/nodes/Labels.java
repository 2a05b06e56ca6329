package org.troupe.tasks.nodes;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which nodes have which labels. The program tells all nodes each change.
 *
 * @param version grows with each change
 * @param members the numbers of the nodes that have a label, by label; none is empty
 */
record Labels(long version, Map<String, List<Integer>> members) {

  static final Labels NONE = new Labels(0, Map.of());

  /** Returns the labels that there are. */
  Set<String> all() {
    return members.keySet();
  }

  /** Returns the labels of a node. */
  Set<String> of(int member) {
    return members.keySet().stream()
        .filter(label -> has(member, label))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether a node has a label. */
  boolean has(int member, String label) {
    return having(label).contains(member);
  }

  /** Returns the nodes that have a label. */
  List<Integer> having(String label) {
    return members.getOrDefault(label, List.of());
  }
}
