package org.troupe.activeobjects.internal.object;

import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.listing.GrowingPauses;
import org.troupe.activeobjects.internal.listing.NodeDeaths;
import org.troupe.activeobjects.internal.listing.NodeTrials;

/** The exported bodies of one node, with the state that their entries share. */
final class ExportTable {

  final NodeObjects node;
  final CollectionMode mode;
  final IdTable<ExportedBody> bodies = new IdTable<>();
  final ReferenceQueue<Body> gone = new ReferenceQueue<>();
  final NodeDeaths deaths;
  final NodeTrials trials = new NodeTrials();

  /** Bodies that may be held for their extensions or their one-way calls only. */
  final Set<ExportedBody> reviewed = ConcurrentHashMap.newKeySet();

  /** The objects that have left this node, on which they were created, and may be released. */
  final GrowingPauses<ExportedBody> unreleased = new GrowingPauses<>();

  ExportTable(NodeObjects node, CollectionMode mode) {
    this.node = node;
    this.mode = mode;
    deaths = new NodeDeaths(node.id().incarnation());
  }

  /** Returns whether an entry is the present one of its number. */
  boolean has(ExportedBody entry) {
    return bodies.get(entry.number()) == entry;
  }

  /** Removes the entry of a body that has ended. */
  void remove(long number) {
    var removed = bodies.remove(number);
    if (removed != null) {
      unreleased.remove(removed);
    }
    if (trials.areAny()) {
      trials.ended(number);
    }
  }
}
