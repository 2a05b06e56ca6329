package org.troupe.activeobjects.internal.copies;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;

/**
 * The choice of the node that gets the copy of a journal. Guarded by the monitor of its {@link
 * OwnedJournal}, which has the design.
 */
final class BuddyChoice {

  private final String journal;
  private final CopyNetwork network;
  private final Set<NodeId> excluded = new HashSet<>(); // lost, although perhaps listed still

  BuddyChoice(String journal, CopyNetwork network) {
    this.journal = journal;
    this.network = network;
  }

  /** Chooses a lost node no more. */
  void exclude(NodeId lost) {
    excluded.add(lost);
  }

  /** Returns whether a node may become the buddy. */
  boolean isCandidate(NodeId node) {
    return !excluded.contains(node) && network.isCandidate(node);
  }

  /** Returns whether a node can still have a copy, even if it is about to leave. */
  boolean isThere(NodeId node) {
    return !excluded.contains(node) && network.members().contains(node);
  }

  /** Returns the best candidate, or {@code null} if there is none. */
  @Nullable NodeId best() {
    return network.candidates().stream()
        .filter(each -> !excluded.contains(each.id()))
        .max(
            Comparator.comparing(CopyNetwork.Candidate::isOnOtherHost)
                .thenComparing(each -> hash(each.id())))
        .map(CopyNetwork.Candidate::id)
        .orElse(null);
  }

  /** Mixes as SplitMix64 does (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
  private long hash(NodeId node) {
    var mixed = node.incarnation() ^ (long) journal.hashCode() * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
